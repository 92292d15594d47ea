"""Moves events from the sources to the doors, and time to the next event when nothing is left to do now."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime

from fermata_local.clocks import LocalClock
from fermata_local.doors import DoorFailed, Invoke
from fermata_local.sources import Delivery, EveryMinute, Source

# How long the pump sleeps at most when it waits: something it cannot see coming may have changed (seconds of real time).
LONGEST_NAP = 0.25


@dataclass
class Pump:
    """Deterministic when driven by `step` and `skip` from one thread; `run` drives it with many threads.

    Sources are asked in their order, and only `sources` are a reason to go on. What never ends, the sweeper's minutes and `recurring`
    schedules, passes while something else is waiting: a clock that skips would otherwise skip for ever.
    """

    sources: Sequence[Source]
    sweeper: EveryMinute
    clock: LocalClock
    invoke: Invoke
    report: Callable[[str], None]
    recurring: Source | None = None
    _wake: threading.Event = field(default_factory=threading.Event)
    _stop: threading.Event = field(default_factory=threading.Event)

    def step(self) -> bool:
        """Deliver everything that is due now. Return False when nothing was."""
        deliveries = self._take()
        for delivery in deliveries:
            self._deliver(delivery)
        return bool(deliveries)

    def skip(self, until: datetime | None = None, *, recurring: bool = False) -> bool:
        """Go to the next moment at which something is due. Return False when nothing is waiting, or only after `until`.

        `recurring`: a recurring schedule is a reason to go on, too. Give an `until` then.
        """
        moment = self.next_moment(recurring=recurring)
        if moment is None or (until is not None and moment > until):
            return False
        return self.clock.skip_to(moment)

    def next_moment(self, *, recurring: bool = False) -> datetime | None:
        moments = [moment for source in self.sources if (moment := source.next_moment()) is not None]
        recurs = self.recurring.next_moment() if self.recurring else None
        if recurs is not None and (moments or recurring):
            moments.append(recurs)
        return min(*moments, self.sweeper.next_moment()) if moments else None

    def notify(self) -> None:
        """Look again now: a request may have left something to deliver."""
        self._wake.set()

    def stop(self) -> None:
        self._stop.set()
        self._wake.set()

    def run(self, busy: Callable[[], bool]) -> None:
        """Deliver until `stop`, many at once. Time skips only when nothing is in flight and not `busy()`."""
        with ThreadPoolExecutor(max_workers=16, thread_name_prefix="door") as pool:
            in_flight = _InFlight(pool, self.notify, self.report)
            while not self._stop.is_set():
                try:
                    self._turn(in_flight, busy)
                except Exception as error:
                    self.report(f"the local cloud stopped delivering: {type(error).__name__}: {error}")
                    raise

    def _turn(self, in_flight: "_InFlight", busy: Callable[[], bool]) -> None:
        self._wake.clear()
        deliveries = self._take()
        for delivery in deliveries:
            in_flight.submit(self._deliver, delivery)
        if not deliveries and not (in_flight.count == 0 and not busy() and self.skip()):
            self._wake.wait(self._nap())

    def _nap(self) -> float:
        moment = self.next_moment()
        if moment is None:
            return LONGEST_NAP
        return min(LONGEST_NAP, max(0.001, (moment - self.clock.now()).total_seconds()))

    def _take(self) -> list[Delivery]:
        now = self.clock.now()
        recurring = (self.recurring,) if self.recurring else ()
        return [delivery for source in (*self.sources, *recurring, self.sweeper) for delivery in source.due(now)]

    def _deliver(self, delivery: Delivery) -> None:
        try:
            result = self.invoke(delivery.door, delivery.event)
        except DoorFailed as error:
            self.report(str(error))
            notes = delivery.failed()
        else:
            notes = delivery.done(result)
        for note in notes:
            self.report(note)


class _InFlight:
    """Counts what a pool is working on."""

    def __init__(self, pool: ThreadPoolExecutor, finished: Callable[[], None], report: Callable[[str], None]) -> None:
        self._pool = pool
        self._finished = finished
        self._report = report
        self._lock = threading.Lock()
        self.count = 0

    def submit(self, work: Callable[[Delivery], None], delivery: Delivery) -> None:
        with self._lock:
            self.count += 1
        self._pool.submit(self._run, work, delivery)

    def _run(self, work: Callable[[Delivery], None], delivery: Delivery) -> None:
        try:
            work(delivery)
        except Exception as error:  # noqa: BLE001 - a pool keeps exceptions to itself; this one is told
            self._report(f"the local cloud failed to deliver to {delivery.door}: {type(error).__name__}: {error}")
        finally:
            with self._lock:
                self.count -= 1
            self._finished()
