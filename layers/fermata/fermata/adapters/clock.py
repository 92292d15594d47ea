"""The real clock, real pauses and real ids: the only place that asks the machine for the time or for chance, and that sleeps."""

import secrets
import time
import uuid
from datetime import UTC, datetime, timedelta


class SystemClock:
    """A `Clock`: the machine's time, aware, UTC, cut to the millisecond because that is what is stored and shown."""

    def now(self) -> datetime:
        now = datetime.now(UTC)  # noqa: TID251 - this is the clock adapter
        return now.replace(microsecond=now.microsecond // 1000 * 1000)


class SystemPauses:
    """`Pauses` that last."""

    def pause(self, length: timedelta) -> None:
        time.sleep(length.total_seconds())  # noqa: TID251 - this is the adapter that waits


class UuidIds:
    """An `Ids`: random (version 4) UUIDs, as Conductor's workflow ids are."""

    def new_workflow_id(self) -> str:
        return str(uuid.uuid4())  # noqa: TID251 - this is the id adapter


class SystemChance:
    """A `Chance`: the operating system's."""

    def draw(self, count: int) -> bytes:
        return secrets.token_bytes(count)
