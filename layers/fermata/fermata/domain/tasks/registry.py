"""The task types this engine runs, by the name a definition uses.

Adding a type is one file and one line here. One that a door carries out (`has_runner`) also has a line in `application/run_task.py`.
"""

from collections.abc import Mapping

from fermata.domain.executions import Task
from fermata.domain.tasks.airpipe import AIRPIPE_ANSWER, AIRPIPE_DELAY, AIRPIPE_HTTP, AIRPIPE_OUTPUT, AIRPIPE_STATE
from fermata.domain.tasks.decision import DECISION
from fermata.domain.tasks.do_while import DO_WHILE
from fermata.domain.tasks.dynamic import DYNAMIC
from fermata.domain.tasks.event import EVENT
from fermata.domain.tasks.exclusive_join import EXCLUSIVE_JOIN
from fermata.domain.tasks.fork_join import FORK_JOIN
from fermata.domain.tasks.fork_join_dynamic import FORK_JOIN_DYNAMIC
from fermata.domain.tasks.http import HTTP
from fermata.domain.tasks.http_poll import HTTP_POLL
from fermata.domain.tasks.human import HUMAN
from fermata.domain.tasks.inline import INLINE
from fermata.domain.tasks.join import JOIN
from fermata.domain.tasks.json_jq_transform import JSON_JQ_TRANSFORM
from fermata.domain.tasks.lambda_task import LAMBDA
from fermata.domain.tasks.noop import NOOP
from fermata.domain.tasks.set_variable import SET_VARIABLE
from fermata.domain.tasks.simple import SIMPLE
from fermata.domain.tasks.start_workflow import START_WORKFLOW
from fermata.domain.tasks.sub_workflow import SUB_WORKFLOW
from fermata.domain.tasks.switch import SWITCH
from fermata.domain.tasks.task_type import TaskType
from fermata.domain.tasks.terminate import TERMINATE
from fermata.domain.tasks.wait import WAIT

_KNOWN = (
    AIRPIPE_ANSWER,
    AIRPIPE_DELAY,
    AIRPIPE_HTTP,
    AIRPIPE_OUTPUT,
    AIRPIPE_STATE,
    DECISION,
    DO_WHILE,
    DYNAMIC,
    EVENT,
    EXCLUSIVE_JOIN,
    FORK_JOIN,
    FORK_JOIN_DYNAMIC,
    HTTP,
    HTTP_POLL,
    HUMAN,
    INLINE,
    JOIN,
    JSON_JQ_TRANSFORM,
    LAMBDA,
    NOOP,
    SET_VARIABLE,
    SIMPLE,
    START_WORKFLOW,
    SUB_WORKFLOW,
    SWITCH,
    TERMINATE,
    WAIT,
)

TASK_TYPES: Mapping[str, TaskType] = {task_type.name: task_type for task_type in _KNOWN}
_BY_RECORD = {kind.record_name or kind.name: kind for kind in _KNOWN if not kind.record_is_step_name}


def type_of(task: Task) -> TaskType:
    """Return the type of a task record. One that shows no name of a type here is a worker's task, which shows its own."""
    return type_shown_as(task.task_type)


def type_shown_as(task_type: str) -> TaskType:
    """Return the type whose records show this taskType."""
    return _BY_RECORD.get(task_type, SIMPLE)
