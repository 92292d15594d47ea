"""Schedules, and the runs that they start."""

from fermata.api.description.vocabulary import (
    FLAG,
    MOMENT,
    WORD,
    Body,
    Operation,
    Parameter,
    Room,
    empty,
    json,
    listed,
    number,
    ref,
    variable,
    word,
)
from fermata.api.schedule_search import DEFAULT_SIZE, MAX_SIZE
from fermata.api.schedules import MAX_FEW, MAX_NAMES

_AT = "/api/scheduler"
_PAGE = (
    number("start", "The first one's place.", 0, 0),
    number("size", "How many at most.", DEFAULT_SIZE, 0, MAX_SIZE),
    word("sort", "A list of `field:ASC` or `field:DESC`."),
    word("freeText", "A word that must be somewhere; `*` is no condition."),
)
_NAMES = Body("Names of schedules.", listed(WORD, maxItems=MAX_NAMES))
_BULK = json("What became of each name.", ref("BulkResponse"))
_DONE = json("Done.", ref("AdminStatus"))
_REASON = (word("reason", "Why; shown in the schedule."),)

SCHEDULES = Room(
    "schedules",
    "Starting runs by cron. A cron has six fields, seconds first. GET stands beside PUT and POST where some SDKs send it.",
    {
        f"POST {_AT}/schedules": Operation(
            "saveSchedule",
            "Save a schedule, new or not.",
            json("The schedule.", ref("WorkflowSchedule")),
            body=Body("A schedule.", ref("SaveScheduleRequest")),
        ),
        f"GET {_AT}/schedules": Operation(
            "listSchedules",
            "List schedules.",
            json("The schedules.", listed(ref("WorkflowSchedule"))),
            query=(word("workflowName", "Only those that start this definition."),),
        ),
        f"GET {_AT}/schedules/search": Operation(
            "searchSchedules",
            "Search for schedules.",
            json("A page of schedules.", ref("SearchResultOfWorkflowSchedule")),
            query=(
                word("workflowName", "Only those that start this definition."),
                word("scheduleName", "Only this one."),
                Parameter("paused", "Only those that are paused, or are not.", FLAG),
                *_PAGE,
            ),
        ),
        f"GET {_AT}/search/executions": Operation(
            "searchScheduledStarts",
            "Search for what schedules started.",
            json("A page of starts.", ref("SearchResultOfWorkflowScheduleExecution")),
            query=(*_PAGE, word("query", "The name of a schedule, or conditions joined by AND.")),
        ),
        f"GET {_AT}/schedules/<name>": Operation(
            "getSchedule", "Get a schedule.", json("The schedule.", ref("WorkflowSchedule")), refuses=(404,)
        ),
        f"DELETE {_AT}/schedules/<name>": Operation("deleteSchedule", "Delete a schedule, if there is one.", empty()),
        f"PUT {_AT}/schedules/<name>/pause": Operation("pauseSchedule", "Pause a schedule.", empty(), query=_REASON, refuses=(404,)),
        f"GET {_AT}/schedules/<name>/pause": Operation("pauseScheduleByGet", "The same.", empty(), query=_REASON, refuses=(404,)),
        f"PUT {_AT}/schedules/<name>/resume": Operation("resumeSchedule", "Let a paused schedule go on.", empty(), refuses=(404,)),
        f"GET {_AT}/schedules/<name>/resume": Operation("resumeScheduleByGet", "The same.", empty(), refuses=(404,)),
        f"GET {_AT}/nextFewSchedules": Operation(
            "nextFewSchedules",
            "Tell the next moments of a cron, in UTC.",
            json("The moments.", listed(MOMENT)),
            query=(
                word("cronExpression", "The cron.", required=True),
                number("scheduleStartTime", "Not before, in epoch milliseconds; 0 is no bound.", 0, 0),
                number("scheduleEndTime", "Not after, in epoch milliseconds; 0 is no bound.", 0, 0),
                number("limit", f"How many; at most {MAX_FEW} are told.", MAX_FEW, 0),
            ),
        ),
        f"PUT {_AT}/bulk/pause": Operation("pauseSchedules", "Pause schedules.", _BULK, body=_NAMES),
        f"PUT {_AT}/bulk/resume": Operation("resumeSchedules", "Resume schedules.", _BULK, body=_NAMES),
        f"GET {_AT}/admin/requeue": Operation("requeueSchedulesByGet", "Set the alarms of all schedules anew.", _DONE),
        f"POST {_AT}/admin/requeue": Operation("requeueSchedules", "Set the alarms of all schedules anew.", _DONE),
        f"GET {_AT}/admin/pause": Operation("pauseAllSchedulesByGet", "Pause all schedules.", _DONE),
        f"POST {_AT}/admin/pause": Operation("pauseAllSchedules", "Pause all schedules.", _DONE),
        f"GET {_AT}/admin/resume": Operation("resumeAllSchedulesByGet", "Let go on what was paused with all others.", _DONE),
        f"POST {_AT}/admin/resume": Operation("resumeAllSchedules", "Let go on what was paused with all others.", _DONE),
    },
    {"name": variable("name", "The schedule's name.")},
)
