"""Ids derived from what they identify, so that a repeat can't create a second thing. Only the workflow id is drawn."""

import hashlib
import json
import uuid
from datetime import datetime

_TASKS = uuid.UUID("5c6f5b5e-9d0c-5a41-8f57-6d2a4f1f7a10")


def task_id(workflow_id: str, generation: int, task_reference_name: str, attempt: int) -> str:
    """Return the id of one attempt of one task. `generation` counts restarts of the workflow, from 0."""
    return str(uuid.uuid5(_TASKS, f"{workflow_id}/{generation}/{attempt}/{task_reference_name}"))


def idempotency_key(workflow_id: str, generation: int, task_reference_name: str) -> str:
    """Return the key a vendor sees on an unsafe request: the same on every retry and redelivery.

    A loop iteration has a reference name of its own (`ref__2`), so each iteration has a key of its own.
    """
    return str(uuid.uuid5(_TASKS, f"idempotency/{workflow_id}/{generation}/{task_reference_name}"))


def child_id(task: str) -> str:
    """Return the id of the run that one task attempt starts: a repeated start cannot make two."""
    return str(uuid.uuid5(_TASKS, f"child/{task}"))


def failure_workflow_id(workflow_id: str, generation: int) -> str:
    """Return the id of the run that starts because this one failed."""
    return str(uuid.uuid5(_TASKS, f"failure/{workflow_id}/{generation}"))


def event_run_id(handler: str, event: str, message_id: str, index: int) -> str:
    """Return the id of the run that one action of a handler starts for one message: a repeated message cannot start two."""
    return str(uuid.uuid5(_TASKS, f"event/{json.dumps([handler, event, message_id, index])}"))


def scheduled_run_id(schedule: str, entry: int, at: datetime) -> str:
    """Return the id of the run that one cron of a schedule starts at one moment."""
    return str(uuid.uuid5(_TASKS, f"scheduled/{entry}/{at.timestamp():.3f}/{schedule}"))


def scheduled_execution_id(workflow_id: str) -> str:
    """Return the id of the record of a scheduled start."""
    return str(uuid.uuid5(_TASKS, f"execution/{workflow_id}"))


def content_hash(content: bytes) -> str:
    """Return a short name for stored content: equal content has an equal name."""
    return hashlib.sha256(content).hexdigest()[:40]
