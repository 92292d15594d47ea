"""The task types this engine runs, by the name a definition uses. Adding a type is one file and one line here."""

from collections.abc import Mapping

from fermata.domain.tasks.http import HTTP
from fermata.domain.tasks.http_poll import HTTP_POLL
from fermata.domain.tasks.inline import INLINE
from fermata.domain.tasks.json_jq_transform import JSON_JQ_TRANSFORM
from fermata.domain.tasks.set_variable import SET_VARIABLE
from fermata.domain.tasks.switch import SWITCH
from fermata.domain.tasks.task_type import TaskType
from fermata.domain.tasks.terminate import TERMINATE
from fermata.domain.tasks.wait import WAIT

TASK_TYPES: Mapping[str, TaskType] = {
    task_type.name: task_type for task_type in (HTTP, HTTP_POLL, INLINE, JSON_JQ_TRANSFORM, SET_VARIABLE, SWITCH, TERMINATE, WAIT)
}
