"""The command line sends what Conductor's own sends, and says what a server answers. The server here records and replays."""

import json
import socket

import pytest
from click.testing import CliRunner
from fermata_local import server
from fermata_local.cli import main
from fermata_local.cli.arguments import Moment
from fermata_local.cli.conductor import Conductor, server_url
from fermata_local.cli.watch import View
from fermata_local.lambda_events import GatewayAnswer

WF = "5f1c0c1e-0000-4000-8000-000000000001"
DEFINITION = {"name": "a b", "version": 2, "tasks": []}


class Recorder:
    """Answers `(method, path)` from a table, with an empty 200 otherwise, and keeps what was asked."""

    def __init__(self):
        self.answers = {}
        self.asked = []

    def __call__(self, request):
        self.asked.append((request.method, request.target, json.loads(request.body) if request.body else None))
        answer = self.answers.get((request.method, request.target.partition("?")[0]), (200, None))
        if isinstance(answer, GatewayAnswer):
            return answer
        status, body = answer
        if body is None:
            return GatewayAnswer(status)
        if isinstance(body, str):
            return GatewayAnswer(status, {"content-type": "text/plain;charset=UTF-8"}, body.encode())
        return GatewayAnswer(status, {"content-type": "application/json"}, json.dumps(body).encode())


@pytest.fixture(scope="module")
def served():
    recorder = Recorder()
    with server.serving(recorder) as url:
        yield recorder, url


@pytest.fixture
def fake(served):
    recorder, _ = served
    recorder.asked.clear()
    recorder.answers.clear()
    return recorder


@pytest.fixture
def run(served, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "wf.json").write_text(json.dumps(DEFINITION))
    (tmp_path / "task.json").write_text(json.dumps({"name": "t"}))
    (tmp_path / "in.json").write_text('{"x": 1}')
    (tmp_path / "broken.json").write_text('{"name": ')
    (tmp_path / "empty.json").write_text("[]")
    return lambda *args: CliRunner().invoke(main, args, env={"CONDUCTOR_SERVER_URL": served[1]})


@pytest.mark.parametrize(
    ("args", "request_"),
    [
        (("workflow", "create", "wf.json"), ("POST", "/api/metadata/workflow?overwrite=true", DEFINITION)),
        (("workflow", "update", "wf.json"), ("PUT", "/api/metadata/workflow", [DEFINITION])),
        (("workflow", "validate", "wf.json"), ("POST", "/api/metadata/workflow/validate", DEFINITION)),
        (("workflow", "list"), ("GET", "/api/metadata/workflow", None)),
        (("workflow", "get", "a b"), ("GET", "/api/metadata/workflow/a%20b", None)),
        (("workflow", "get", "a/b", "2"), ("GET", "/api/metadata/workflow/a%2Fb?version=2", None)),
        (("workflow", "delete", "a b", "2"), ("DELETE", "/api/metadata/workflow/a%20b/2", None)),
        (("workflow", "status", WF), ("GET", f"/api/workflow/{WF}/status?includeOutput=true&includeVariables=true", None)),
        (("workflow", "get-execution", WF), ("GET", f"/api/workflow/{WF}?includeTasks=false", None)),
        (("workflow", "get-execution", WF, "-c"), ("GET", f"/api/workflow/{WF}?includeTasks=true", None)),
        (("workflow", "get-execution", WF, "--full"), ("GET", f"/api/workflow/{WF}?includeTasks=true", None)),
        (("workflow", "pause", WF), ("PUT", f"/api/workflow/{WF}/pause", None)),
        (("workflow", "pause", WF, "--reason", "a b"), ("PUT", f"/api/workflow/{WF}/pause?reason=a+b", None)),
        (("workflow", "operations", WF), ("GET", f"/api/workflow/{WF}/operations", None)),
        (("workflow", "resume", WF), ("PUT", f"/api/workflow/{WF}/resume", None)),
        (("workflow", "retry", WF), ("POST", f"/api/workflow/{WF}/retry?resumeSubworkflowTasks=false", None)),
        (("workflow", "restart", WF), ("POST", f"/api/workflow/{WF}/restart?useLatestDefinitions=false", None)),
        (("workflow", "retry", WF, "--resume-subworkflow-tasks"), ("POST", f"/api/workflow/{WF}/retry?resumeSubworkflowTasks=true", None)),
        (("workflow", "restart", WF, "--use-latest"), ("POST", f"/api/workflow/{WF}/restart?useLatestDefinitions=true", None)),
        (("workflow", "rerun", WF), ("POST", f"/api/workflow/{WF}/rerun", {"reRunFromWorkflowId": WF})),
        (
            ("workflow", "rerun", WF, "--task-id", "t1", "--task-input", '{"a": 1}', "--workflow-input", "{}", "--correlation-id", "c"),
            (
                "POST",
                f"/api/workflow/{WF}/rerun",
                {
                    "reRunFromWorkflowId": WF,
                    "reRunFromTaskId": "t1",
                    "taskInput": {"a": 1},
                    "workflowInput": {},
                    "correlationId": "c",
                },
            ),
        ),
        (("workflow", "skip-task", WF, "a b"), ("PUT", f"/api/workflow/{WF}/skiptask/a%20b", {})),
        (
            ("workflow", "skip-task", WF, "r", "--task-output", '{"a": 1}'),
            ("PUT", f"/api/workflow/{WF}/skiptask/r", {"taskOutput": {"a": 1}}),
        ),
        (("workflow", "delete-execution", WF), ("DELETE", f"/api/workflow/{WF}/remove?archiveWorkflow=false", None)),
        (("workflow", "delete-execution", WF, "-a"), ("DELETE", f"/api/workflow/{WF}/remove?archiveWorkflow=true", None)),
        (("workflow", "terminate", WF, "--reason", "no use"), ("DELETE", f"/api/workflow/{WF}?reason=no+use", None)),
        (("task", "list"), ("GET", "/api/metadata/taskdefs", None)),
        (("task", "get", "t"), ("GET", "/api/metadata/taskdefs/t", None)),
        (("task", "create", "task.json"), ("POST", "/api/metadata/taskdefs", [{"name": "t"}])),
        (("task", "update", "task.json"), ("PUT", "/api/metadata/taskdefs", {"name": "t"})),
        (("task", "delete", "t"), ("DELETE", "/api/metadata/taskdefs/t", None)),
        (("task", "get-execution", "t1"), ("GET", "/api/tasks/t1", None)),
        (("task", "polls", "t1"), ("GET", "/api/tasks/t1/polls", None)),
        (("task", "logs", "t1"), ("GET", "/api/tasks/t1/log", None)),
        (("task", "get-all"), ("GET", "/api/metadata/taskdefs", None)),
        (("task", "poll", "a b"), ("GET", "/api/tasks/poll/batch/a%20b?count=1&timeout=100", None)),
        (
            ("task", "poll", "t", "--count", "5", "--timeout", "9", "--worker-id", "w", "--domain", "d"),
            ("GET", "/api/tasks/poll/batch/t?count=5&timeout=9&workerid=w&domain=d", None),
        ),
        (
            ("task", "update-execution", "--workflow-id", WF, "--task-ref-name", "a b", "--status", "COMPLETED", "--output", '{"a": 1}'),
            ("POST", f"/api/tasks/{WF}/a%20b/COMPLETED", {"a": 1}),
        ),
        (
            ("task", "update-execution", "--workflow-id", WF, "--task-ref-name", "r", "--status", "failed", "--worker-id", "w"),
            ("POST", f"/api/tasks/{WF}/r/FAILED?workerid=w", {}),
        ),
        (("task", "signal", "--workflow-id", WF, "--status", "COMPLETED"), ("POST", f"/api/tasks/{WF}/COMPLETED/signal", {})),
        (
            ("task", "signal-sync", "--workflow-id", WF, "--status", "COMPLETED", "--output", '{"a": 1}'),
            ("POST", f"/api/tasks/{WF}/COMPLETED/signal/sync", {"a": 1}),
        ),
        (
            ("task", "signal-sync", "--workflow-id", WF, "--status", "COMPLETED", "--return-strategy", "BLOCKING_TASK"),
            ("POST", f"/api/tasks/{WF}/COMPLETED/signal/sync?returnStrategy=BLOCKING_TASK", {}),
        ),
        (("workflow", "get-all", "^a"), ("GET", "/api/metadata/workflow", None)),
        (("schedule", "list"), ("GET", "/api/scheduler/schedules", None)),
        (("schedule", "list", "-w", "a b"), ("GET", "/api/scheduler/schedules?workflowName=a+b", None)),
        (("schedule", "delete", "a b"), ("DELETE", "/api/scheduler/schedules/a%20b", None)),
        (("schedule", "pause", "s", "--reason", "why"), ("PUT", "/api/scheduler/schedules/s/pause?reason=why", None)),
        (("schedule", "resume", "s"), ("PUT", "/api/scheduler/schedules/s/resume", None)),
        (("event", "list"), ("GET", "/api/event", None)),
        (("event", "list", "--event", "sqs:q"), ("GET", "/api/event/sqs%3Aq?activeOnly=true", None)),
        (("event", "list", "--event", "sqs:q", "--all"), ("GET", "/api/event/sqs%3Aq?activeOnly=false", None)),
        (("event", "create", "task.json"), ("POST", "/api/event", {"name": "t"})),
        (("event", "update", "task.json"), ("PUT", "/api/event", {"name": "t"})),
        (("event", "delete", "a:b"), ("DELETE", "/api/event/a%3Ab", None)),
        (("event", "executions", "sqs:q", "-c", "5"), ("GET", "/api/event/executions/sqs%3Aq?size=5", None)),
        (("secret", "list"), ("GET", "/api/secrets", None)),
        (("key", "list"), ("GET", "/api/keys", None)),
    ],
    ids=lambda value: " ".join(value) if isinstance(value[0], str) and len(value) != 3 else None,
)
def test_each_verb_makes_conductors_request(fake, run, args, request_):
    result = run(*args)
    assert result.exit_code == 0, result.output
    assert fake.asked == [request_]


def test_a_dry_run_is_told_as_a_story_and_exits_0_when_the_run_is_completed(fake, run, tmp_path):
    (tmp_path / "answers.json").write_text(json.dumps([{"responses": [{}]}]))
    event = {"atMs": 60_080, "what": "POLL", "detail": "poll 2: 200, DONE", "taskReferenceName": "await"}
    told = {
        "workflow": {"status": "COMPLETED"},
        "events": [event],
        "requests": 3,
        "elapsedSeconds": 60.08,
        "cost": {"polls": 2, "usd": 0.00004, "pricesAsOf": "2026-11-29"},
        "ending": "OVER",
        "endedBy": "The run is COMPLETED.",
    }
    fake.answers["POST", "/api/workflow/dry-run"] = (200, told)
    result = run("workflow", "dry-run", "wf.json", "--answers", "answers.json", "-i", "@in.json")
    assert (result.exit_code, result.stdout.splitlines()) == (
        0,
        [
            "+0:01:00.080000   await                poll 2: 200, DONE",
            "After 0:01:00: The run is COMPLETED.",
            "3 requests, 2 of them polls; about $0.000040 on AWS (prices of 2026-11-29).",
        ],
    )
    assert fake.asked == [
        ("POST", "/api/workflow/dry-run", {"workflowDef": DEFINITION, "input": {"x": 1}, "answers": [{"responses": [{}]}]})
    ]
    fake.answers["POST", "/api/workflow/dry-run"] = (200, {**told, "workflow": {"status": "RUNNING"}})
    waiting = run("workflow", "dry-run", "-w", "flow", "--query", "ending")
    assert (waiting.exit_code, waiting.stdout) == (1, "OVER\n")
    assert run("workflow", "dry-run").exit_code == 2


def test_poll_now_says_which_poll_comes(fake, run):
    fake.answers["POST", "/api/tasks/t1/poll-now"] = (200, {"poll": 3, "taskReferenceName": "await"})
    result = run("task", "poll-now", "t1")
    assert (result.exit_code, result.stdout) == (0, "Poll 3 of await comes now: fermata task polls t1\n")
    assert fake.asked == [("POST", "/api/tasks/t1/poll-now", None)]


def test_a_start_that_waits_is_an_execute_and_prints_the_output(fake, run):
    fake.answers["POST", "/api/workflow/execute/a%20b/2"] = (200, {"status": "COMPLETED", "output": {"rows": 3}, "workflowId": WF})
    result = run("workflow", "start", "-w", "a b", "--version", "2", "--sync", "-u", "ref", "-f", "in.json", "--correlation", "c")
    assert (result.exit_code, json.loads(result.stdout)) == (0, {"rows": 3})
    [(method, target, body)] = fake.asked
    path, query = target.split("?")
    assert (method, path) == ("POST", "/api/workflow/execute/a%20b/2")
    assert [each.split("=")[0] for each in query.split("&")] == ["requestId", "waitUntilTaskRef"]
    assert body == {"name": "a b", "version": 2, "correlationId": "c", "input": {"x": 1}}


@pytest.mark.parametrize(
    ("answer", "args", "code"),
    [
        ({"status": "COMPLETED"}, (), 0),
        ({"status": "RUNNING"}, (), 1),
        ({"status": "RUNNING"}, ("-u", "ref"), 0),
        ({"status": "RUNNING", "signalTimeout": True}, ("-u", "ref"), 1),
        ({"status": "FAILED", "reasonForIncompletion": "the vendor said no"}, ("-u", "ref"), 1),
    ],
)
def test_a_start_that_waits_exits_0_when_the_run_came_as_far_as_asked(fake, run, answer, args, code):
    fake.answers["POST", "/api/workflow/execute/n/0"] = (200, {"workflowId": WF, "output": {}, **answer})
    result = run("workflow", "start", "n", "--sync", *args, "--full", "--query", "status")
    assert (result.exit_code, result.stdout) == (code, f"{answer['status']}\n")
    assert ("fermata workflow watch" in result.stderr) == (code == 1 and answer["status"] == "RUNNING")
    assert answer.get("reasonForIncompletion", "") in result.stderr


def test_a_test_sends_the_definition_and_what_its_tasks_end_as(fake, run):
    fake.answers["POST", "/api/workflow/test"] = (200, {"status": "FAILED", "output": {}})
    mocks = {"r": [{"output": {"a": 1}}]}
    result = run("workflow", "test", "wf.json", "-i", "@in.json", "--mock", json.dumps(mocks), "--query", "status")
    assert (result.exit_code, result.stdout) == (1, "FAILED\n")
    body = {"name": "a b", "workflowDef": DEFINITION, "input": {"x": 1}, "taskRefToMockOutput": mocks}
    assert fake.asked == [("POST", "/api/workflow/test", body)]


def test_the_status_of_a_run_on_an_older_server_is_read_off_the_run(fake, run):
    fake.answers["GET", f"/api/workflow/{WF}/status"] = (404, {"message": "no such route"})
    fake.answers["GET", f"/api/workflow/{WF}"] = (200, {"status": "PAUSED"})
    assert run("workflow", "status", WF, "--query", "status").stdout == "PAUSED\n"


def test_an_order_for_several_runs_goes_on_after_a_refusal_and_exits_as_the_first(fake, run):
    fake.answers["PUT", "/api/workflow/a/pause"] = (404, {"message": "No such workflow: a"})
    fake.answers["PUT", "/api/workflow/b/pause"] = (409, {"message": "b is COMPLETED"})
    result = run("workflow", "pause", "a", "b", "c")
    assert (result.exit_code, result.stdout) == (3, "c paused.\n")
    assert result.stderr == "Error: No such workflow: a\nError: b is COMPLETED\n"


@pytest.mark.parametrize("absent", [(404, {"message": "No such schedule"}), (200, None)])
def test_a_schedule_is_created_when_it_is_new_and_updated_when_it_is_not(fake, run, absent):
    at = "/api/scheduler/schedules"
    made = {"name": "s", "cronExpression": "* * * * * *", "startWorkflowRequest": {"name": "w", "version": 2}}
    flags = ("-n", "s", "-c", "* * * * * *", "-w", "w", "--version", "2")
    fake.answers["GET", f"{at}/s"] = absent
    assert run("schedule", "create", *flags).output == "Saved s.\n"
    assert fake.asked == [("GET", f"{at}/s", None), ("POST", at, made)]
    refused = run("schedule", "update", *flags)
    assert (refused.exit_code, "fermata schedule create" in refused.stderr) == (3, True)
    fake.answers["GET", f"{at}/s"] = (200, made)
    assert run("schedule", "update", *flags, "-i", "{}", "-p", "--zone", "Asia/Tokyo").output == "Saved s.\n"
    starts = {"name": "w", "version": 2, "input": {}}
    assert fake.asked[-1][2] == {**made, "zoneId": "Asia/Tokyo", "paused": True, "startWorkflowRequest": starts}
    refused = run("schedule", "create", *flags)
    assert (refused.exit_code, "fermata schedule update" in refused.stderr) == (4, True)


def test_a_server_that_takes_pause_as_get_gets_it_as_get(fake, run):
    fake.answers["PUT", "/api/scheduler/schedules/s/pause"] = (405, {"message": "wrong verb"})
    assert run("schedule", "pause", "s").exit_code == 0
    assert [method for method, _, _ in fake.asked] == ["PUT", "GET"]


def test_what_schedules_started_is_searched_in_conductors_words(fake, run):
    fake.answers["GET", "/api/scheduler/search/executions"] = (200, {"results": [{"scheduleName": "s", "scheduledTime": 1767268800000}]})
    result = run("schedule", "search", "s", "-s", "FAILED", "-c", "3", "-o", "table")
    assert result.stdout.splitlines()[1].split() == ["s", "2026-01-01", "12:00:00"]
    assert fake.asked[0][1].endswith("?start=0&size=3&freeText=%2A&sort=startTime%3ADESC&query=s+AND+state+IN+%28FAILED%29")


def test_one_event_handler_is_found_among_all(fake, run):
    fake.answers["GET", "/api/event"] = (200, [{"name": "a"}, {"name": "b", "event": "sqs:q"}])
    assert run("event", "get", "b", "--query", "event").stdout == "sqs:q\n"
    missing = run("event", "get", "c")
    assert (missing.exit_code, "No such event handler: c" in missing.stderr) == (3, True)


@pytest.mark.parametrize(("args", "found"), [((), ["ab", "b"]), (("^a",), ["ab"]), (("b$",), ["ab", "b"]), (("c",), [])])
def test_definitions_are_picked_by_a_pattern(fake, run, args, found):
    fake.answers["GET", "/api/metadata/workflow"] = (200, [{"name": "ab"}, {"name": "b"}])
    assert json.loads(run("workflow", "get-all", *args, "--query", "[].name").stdout) == found


@pytest.mark.parametrize(
    ("moment", "milliseconds"),
    [
        ("1767268800000", 1767268800000),
        ("2026-01-01", 1767225600000),
        ("20260101", 1767225600000),
        ("2026-01-01 12:00", 1767268800000),
        ("2026-01-01T12:00:00Z", 1767268800000),
        ("2026-01-01T13:00:00+01:00", 1767268800000),
        ("01/01/2026", 1767225600000),
        ("01/01/2026 12:00:00", 1767268800000),
    ],
)
def test_moments_are_taken_as_people_write_them(moment, milliseconds):
    assert Moment().convert(moment, None, None) == milliseconds


def test_a_search_between_moments_asks_for_milliseconds(fake, run):
    fake.answers["GET", "/api/workflow/search"] = (200, {"results": []})
    result = run("workflow", "search", "--start-time-after", "2026-01-01", "--start-time-before", "2026-01-02", "-o", "table")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "Nothing found.\n")
    assert fake.asked[0][1].endswith("query=startTime%3E1767225600000+AND+startTime%3C1767312000000")


def test_definitions_may_come_from_a_pipe(fake, served):
    env = {"CONDUCTOR_SERVER_URL": served[1]}
    result = CliRunner().invoke(main, ["workflow", "create"], env=env, input=json.dumps(DEFINITION))
    assert (result.exit_code, fake.asked[0][2]) == (0, DEFINITION)


def test_start_sends_the_input_and_prints_the_plain_id(fake, run):
    fake.answers["POST", "/api/workflow/a%20b"] = (200, WF)
    result = run("workflow", "start", "-w", "a b", "-i", "@in.json", "--version", "2", "--correlation-id", "c1")
    assert (result.exit_code, result.output) == (0, f"{WF}\n")
    assert fake.asked == [("POST", "/api/workflow/a%20b?version=2&correlationId=c1", {"x": 1})]


def test_search_builds_conductors_query(fake, run):
    fake.answers["GET", "/api/workflow/search"] = (200, {"totalHits": 1, "results": [{"workflowId": WF, "status": "FAILED"}]})
    result = run("workflow", "search", "-w", "n", "-s", "FAILED", "-c", "3", "--query", "[0].workflowId")
    assert (result.exit_code, result.output) == (0, f"{WF}\n")
    assert fake.asked[0][1] == (
        "/api/workflow/search?start=0&size=3&freeText=%2A&sort=startTime%3ADESC&query=workflowType+IN+%28n%29+AND+status+IN+%28FAILED%29"
    )


def test_a_table_has_one_row_per_record(fake, run):
    fake.answers["GET", "/api/metadata/taskdefs"] = (200, [{"name": "a", "retryCount": 3}, {"name": "long-name"}])
    assert run("task", "list", "-o", "table").output.splitlines() == ["name       retryCount", "a          3", "long-name  -"]


def test_a_table_tells_moments_in_utc_and_cuts_what_is_long(fake, run):
    record = {"name": "a", "createTime": 1767268800000, "endTime": 0, "description": f"two\nlines {'x' * 80}", "expireTime": None}
    fake.answers["GET", "/api/metadata/taskdefs"] = (200, [record])
    head, row = run("task", "list", "-o", "table").output.splitlines()
    assert head.split() == ["name", "description", "createTime", "expireTime"]
    assert row == "a     two lines " + "x" * 47 + "...  2026-01-01 12:00:00  -"


@pytest.mark.parametrize("args", [("--json",), ("--json", "-o", "table"), ("-o", "json")])
def test_json_is_what_scripts_get(fake, run, args):
    fake.answers["GET", "/api/metadata/taskdefs"] = (200, [{"name": "a", "createTime": 1}])
    assert json.loads(run("task", "list", *args).output) == [{"name": "a", "createTime": 1}]


HOSTILE = "\x1b[2J\x9b31m\ud800é"


def test_what_a_vendor_wrote_cannot_move_the_cursor(fake, run):
    reason = {"status": "FAILED", "output": {"a": HOSTILE}, "tasks": [_task(taskType="HTTP", reasonForIncompletion=HOSTILE, endTime=0)]}
    fake.answers["GET", f"/api/workflow/{WF}"] = (200, {**reason, "reasonForIncompletion": HOSTILE})
    fake.answers["GET", "/api/metadata/taskdefs"] = (200, [{"name": HOSTILE}])
    fake.answers["GET", "/api/metadata/taskdefs/t"] = (404, {"message": HOSTILE})
    for args in (("workflow", "watch", WF), ("task", "list"), ("task", "list", "-o", "table"), ("task", "get", "t")):
        output = run(*args).output
        assert not set("\x1b\x9b\ud800") & set(output)
        assert "\\ud800é" in output
    assert json.loads(run("task", "list").output) == [{"name": HOSTILE}]
    assert run("task", "list", "--query", "[0].name").exit_code == 0


def test_a_query_that_is_none_is_refused_before_anything_is_asked(fake, run):
    assert run("key", "create", "k", "--role", "admin", "--query", "a[").exit_code == 2
    assert run("workflow", "start", "n", "--sync", "--query", "a[").exit_code == 2
    assert fake.asked == []


def test_a_refusal_shows_the_message_and_the_fields_and_exits_4(fake, run):
    violations = [{"path": "tasks[0].type", "message": "unknown task type"}]
    fake.answers["POST", "/api/metadata/workflow"] = (400, {"status": 400, "message": "Validation failed", "validationErrors": violations})
    result = run("workflow", "create", "wf.json")
    assert (result.exit_code, result.stdout) == (4, "")
    assert result.stderr == "Error: Validation failed\n  tasks[0].type: unknown task type\n"


def test_an_update_that_failed_for_one_definition_exits_4(fake, run):
    fake.answers["PUT", "/api/metadata/workflow"] = (200, {"bulkErrorResults": {"a b": "no tasks"}, "bulkSuccessfulResults": []})
    result = run("workflow", "update", "wf.json")
    assert (result.exit_code, result.stderr) == (4, "Error: a b: no tasks\n")


@pytest.mark.parametrize("verb", ["validate", "create"])
def test_warnings_are_shown_beside_the_result_and_exit_0(fake, run, verb):
    path = "/api/metadata/workflow" + ("/validate" if verb == "validate" else "")
    warning = {"path": "tasks[2].defaultCase", "message": "empty", "code": "EMPTY_DEFAULT_AFTER_POLL"}
    fake.answers["POST", path] = GatewayAnswer(200, {"X-Fermata-Warnings": json.dumps([warning])})
    result = run("workflow", verb, "wf.json")
    assert result.exit_code == 0
    assert result.stderr == "  warning EMPTY_DEFAULT_AFTER_POLL tasks[2].defaultCase: empty\n"
    assert result.stdout in {"a b version 2 is valid.\n", "Registered a b version 2.\n"}


@pytest.mark.parametrize("header", ["not json", "{}", "[1]"])
def test_a_header_that_is_no_list_of_warnings_is_passed_over(fake, run, header):
    fake.answers["POST", "/api/metadata/workflow/validate"] = GatewayAnswer(200, {"X-Fermata-Warnings": header})
    result = run("workflow", "validate", "wf.json")
    assert (result.exit_code, result.stderr) == (0, "")


def test_an_answer_that_is_not_conductors_is_said_as_it_is(fake, run):
    fake.answers["GET", "/api/metadata/workflow"] = (502, "<html>")
    result = run("workflow", "list")
    assert (result.exit_code, "502 BAD GATEWAY" in result.stderr) == (5, True)


@pytest.mark.parametrize(
    ("path", "answer", "args"),
    [
        ("/api/metadata/workflow", (200, "<html>"), ("workflow", "list")),
        ("/api/metadata/workflow", GatewayAnswer(200, {"content-type": "application/json"}, b"<html>"), ("workflow", "list")),
        ("/api/workflow/search", (200, []), ("workflow", "search")),
        ("/api/workflow/search", (200, {"results": None}), ("workflow", "search")),
        (f"/api/workflow/{WF}", (200, None), ("workflow", "watch", WF)),
    ],
)
def test_a_server_that_is_none_of_conductors_is_recognised(fake, run, path, answer, args):
    fake.answers["GET", path] = answer
    result = run(*args)
    assert (result.exit_code, result.stdout) == (5, "")
    assert "Is that a Conductor server?" in result.stderr


def test_mistakes_that_validate_finds_exit_1(fake, run):
    fake.answers["POST", "/api/metadata/workflow/validate"] = (400, {"message": "no tasks"})
    result = run("workflow", "validate", "wf.json")
    assert (result.exit_code, result.stderr) == (1, "Error: no tasks\n")


@pytest.mark.parametrize(("status", "code"), [(400, 4), (401, 4), (403, 4), (404, 3), (409, 4), (413, 4), (429, 4), (500, 5), (503, 5)])
def test_the_exit_code_tells_who_should_act(fake, run, status, code):
    fake.answers["GET", "/api/metadata/taskdefs"] = (status, {"message": "no"})
    assert run("task", "list").exit_code == code


def test_each_request_is_shown_when_asked_without_what_is_secret(fake, run):
    result = run("task", "list", "-v", "--auth-token", "s3cret")
    assert "GET http://127.0.0.1:" in result.stderr
    assert "/api/metadata/taskdefs: 200" in result.stderr
    assert "s3cret" not in result.output


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("workflow", "create", "broken.json"), "broken.json is not JSON"),
        (("workflow", "create", "missing.json"), "cannot read missing.json: No such file"),
        (("workflow", "start", "-w", "n", "-i", "[1]"), "the value must be a JSON object"),
        (("workflow", "list", "--query", "a["), "--query"),
        (("workflow", "start"), "--workflow"),
        (("workflow", "start", "n", "-w", "n"), "--workflow"),
        (("workflow", "start", "n", "--full"), "--sync"),
        (("workflow", "start", "n", "--sync", "--watch"), "--watch"),
        (("workflow", "start", "n", "-i", "{}", "-f", "in.json"), "--file"),
        (("workflow", "test"), "--workflow NAME"),
        (("workflow", "get-all", "("), "no regular expression"),
        (("workflow", "search", "--start-time-after", "yesterday"), "no moment"),
        (("workflow", "update", "empty.json"), "a workflow definition is a JSON object"),
        (("schedule", "create", "-n", "s"), "Missing --cron, --workflow"),
        (("schedule", "create", "in.json"), "no name"),
        (("schedule", "create", "in.json", "-n", "s", "-c", "c", "-w", "w"), "by FILE or by flags"),
        (("task", "signal", "--workflow-id", "i", "--status", "DONE"), "'completed'"),
        (("--profile", "nobody", "task", "list"), "config-nobody.yaml"),
    ],
)
def test_a_wrong_command_says_what_is_wrong_and_exits_2(fake, run, args, said):
    result = run(*args)
    assert result.exit_code == 2
    assert said in result.stderr


def test_without_a_server_it_says_how_to_start_one(run):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}"
        result = CliRunner().invoke(main, ["workflow", "list"], env={"CONDUCTOR_SERVER_URL": url})
    assert result.exit_code == 5
    assert f"No server at {url}/api" in result.stderr
    assert "make serve" in result.stderr


def _task(**fields):
    return {"taskId": "t1", "referenceTaskName": "await_job", "taskType": "HTTP_POLL", "status": "COMPLETED", "pollCount": 1, **fields}


@pytest.mark.parametrize(("status", "code"), [("COMPLETED", 0), ("FAILED", 1), ("TIMED_OUT", 1), ("TERMINATED", 1)])
def test_watch_shows_each_poll_and_exits_0_only_when_completed(fake, run, status, code):
    fake.answers["GET", f"/api/workflow/{WF}"] = (200, {"status": status, "output": {"rows": 1}, "tasks": [_task(endTime=0)]})
    entry = {"poll": 1, "firedTime": 1767268800000, "statusCode": 200, "decision": "DONE", "nextDueTime": None}
    fake.answers["GET", "/api/tasks/t1/polls"] = (200, [entry])
    result = run("workflow", "watch", WF)
    assert result.exit_code == code
    assert "12:00:00  poll   1  200  DONE       no further look" in result.output
    assert "await_job: COMPLETED" in result.output
    assert '"rows": 1' in result.output


def test_watch_counts_polls_on_a_server_that_keeps_no_ledger(fake, run):
    fake.answers["GET", f"/api/workflow/{WF}"] = (200, {"status": "COMPLETED", "output": {}, "tasks": [_task(pollCount=4, endTime=0)]})
    fake.answers["GET", "/api/tasks/t1/polls"] = (404, {"message": "no such route"})
    result = run("workflow", "watch", WF)
    assert (result.exit_code, "await_job: 4 polls" in result.stdout) == (0, True)


def test_watch_says_once_whom_a_run_waits_for(fake, served):
    worker = {"for": "WORKER", "taskId": "t1", "referenceTaskName": "a", "name": "eu:pack"}
    waiting = [worker, {"for": "PERSON", "taskId": "t2", "referenceTaskName": "b"}, {"for": "OPERATOR"}, {"for": "TIME", "dueTime": 1}]
    fake.answers["GET", f"/api/workflow/{WF}"] = (200, {"status": "RUNNING", "output": {}, "tasks": [], "waitingFor": waiting})
    said = []
    view = View(Conductor(served[1]), WF, said.append)
    view.look()
    worker["lastPollTime"] = 1
    view.look()
    assert [line.strip() for line in said] == [
        "a: waits for a worker of the queue eu:pack, which nobody has polled",
        "b: waits for a person",
        "the run: waits for somebody to resume it",
    ]


@pytest.mark.parametrize("url", ["http://h:1", "http://h:1/", "http://h:1/api", "http://h:1/api/", "h:1"])
def test_the_server_address_ends_in_api_however_it_is_written(url):
    assert server_url(url) == "http://h:1/api"
