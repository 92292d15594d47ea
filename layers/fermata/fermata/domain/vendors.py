"""Whom a run asks: the hosts of its requests, for who looks for the runs of one vendor."""

import re
from urllib.parse import urlsplit

from fermata.domain.deciding import Deciding
from fermata.domain.executions import Task
from fermata.domain.json_value import Json
from fermata.domain.tasks.registry import type_of

MAX_HOSTS = 10  # of one run: a fork may ask thousands, and each is a row of its own
_HOST = re.compile(r"[a-z0-9._:-]{1,253}")  # one that a secret is still to fill in is none


def host_of(given: Json) -> str | None:
    """Return the host of a request, in lower case. The rest of its address is not told: it may name what only the vendor should see."""
    request = given.get("http_request", given) if isinstance(given, dict) else None
    uri = request.get("uri") if isinstance(request, dict) else None
    try:
        return urlsplit(uri).hostname if isinstance(uri, str) else None
    except ValueError:
        return None


def note_host(deciding: Deciding, task: Task) -> None:
    """Note whom a task asks that is about to ask somebody, if the run has asked nobody there before."""
    host = host_of(task.input) if type_of(task).asks_a_vendor else None
    known = deciding.workflow.vendor_hosts
    if host and host not in known and len(known) < MAX_HOSTS and _HOST.fullmatch(host):
        deciding.change(vendor_hosts={**known, host: task.task_id})
