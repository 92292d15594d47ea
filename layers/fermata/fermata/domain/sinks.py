"""Where an EVENT task's message goes, and what an event is called: `<provider>:<queue>` (Conductor engine reference, 6.15)."""

from dataclasses import dataclass
from enum import StrEnum

from fermata.domain.expressions.text import has_half_a_pair

CONDUCTOR = "conductor"
MAX_EVENT_BYTES = 1000  # in UTF-8; far above any queue's name or URL, and short enough to be a message's attribute


class Provider(StrEnum):
    """What is behind a sink: our own queue of events, an SQS queue, an EventBridge bus."""

    CONDUCTOR = "conductor"
    SQS = "sqs"
    EVENTBRIDGE = "eventbridge"


@dataclass(frozen=True)
class Sink:
    """`queue`: for conductor `<workflow>:<name>`, for sqs a queue's name or URL, for eventbridge a bus's name or ARN."""

    provider: Provider
    queue: str

    @property
    def event(self) -> str:
        """Return the name that handlers know the event by."""
        return f"{self.provider.value}:{self.queue}"


class NoSink(Exception):
    """A text that names no sink. The message says which do."""


SINKS_THAT_WORK = "conductor, conductor:<name>, sqs:<queue name or URL>, eventbridge:<bus>"


def read_sink(text: str, workflow_name: str, reference_name: str) -> Sink:
    """Return where a `sink` leads. Raises `NoSink`.

    `conductor` is the queue `<workflow>:<reference>`, `conductor:<name>` the queue `<workflow>:<name>`.
    """
    if text == CONDUCTOR:
        return Sink(Provider.CONDUCTOR, f"{workflow_name}:{reference_name}")
    event = f"{CONDUCTOR}:{workflow_name}:{text.removeprefix(CONDUCTOR + ':')}" if text.startswith(f"{CONDUCTOR}:") else text
    return read_event(event)


def read_event(text: str) -> Sink:
    """Return the queue that an event's name is about. Raises `NoSink`."""
    provider, _, queue = text.partition(":")
    if provider not in [known.value for known in Provider] or not queue.strip(": "):
        raise NoSink(f"'{text[:100]}' is no sink here; these work: {SINKS_THAT_WORK}")
    if has_half_a_pair(text):
        raise NoSink("a sink must not contain half of a surrogate pair")
    if len(text.encode()) > MAX_EVENT_BYTES:
        raise NoSink(f"a sink has at most {MAX_EVENT_BYTES} bytes")
    return Sink(Provider(provider), queue)


@dataclass(frozen=True)
class NotPublished:
    """The sink does not take the message, and will not take it later. The reason is shown to people."""

    reason: str
