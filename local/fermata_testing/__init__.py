"""Test your own definitions with pytest: a scripted vendor, a virtual clock, the real engine. See docs/testing.md."""

from fermata_testing.answers import Answer, answer, no_answer
from fermata_testing.rehearsal import Rehearsal
from fermata_testing.results import Event, RunResult, TaskResult
from fermata_testing.vendor import Request, UnexpectedRequest, Vendor
from fermata_testing.workers import TaskFailed

__all__ = [
    "Answer",
    "Event",
    "Rehearsal",
    "Request",
    "RunResult",
    "TaskFailed",
    "TaskResult",
    "UnexpectedRequest",
    "Vendor",
    "answer",
    "no_answer",
]
