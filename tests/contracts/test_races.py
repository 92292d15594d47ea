"""Concurrency: of many who try the same thing at the same time, exactly one succeeds and all see the same result."""

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from fermata.domain.work_limiting import Holder, Limiter
from fermata.domain.working import WorkItem, handed_to

from tests.contracts.builders import RUN, T0, decision, next_poll, outcome, spec, task_id

RACERS = 8
ROUNDS = 5


def race(act):
    """Run `act(racer)` on all racers at once; return what each returned."""
    start = threading.Barrier(RACERS)

    def run(racer):
        start.wait()
        return act(racer)

    with ThreadPoolExecutor(RACERS) as pool:
        return list(pool.map(run, range(RACERS)))


def test_one_of_many_commits_of_a_revision_succeeds(racing_store):
    for revision in range(1, ROUNDS + 1):
        made = [decision(revision, correlation_id=f"racer-{racer}") for racer in range(RACERS)]
        won = race(lambda racer, made=made: racing_store.executions.commit(made[racer]))
        assert won.count(True) == 1
        assert racing_store.executions.load(RUN).outbox == made[won.index(True)]


def test_all_who_record_an_outcome_see_the_same_winner(racing_store):
    for number in range(1, ROUNDS + 1):
        seen = race(lambda racer, number=number: racing_store.executions.record(outcome(number, worker_id=f"racer-{racer}")))
        assert len({result.worker_id for result in seen}) == 1
        assert racing_store.executions.outcomes(RUN, [task_id(number)]) == {task_id(number): seen[0]}


def test_one_of_many_who_made_the_same_poll_advances_it(racing_store):
    racing_store.polls.open(spec(), T0)
    for _poll in range(1, 2 * ROUNDS + 1):
        state = racing_store.polls.load(task_id(1)).state
        after = [replace(next_poll(state), errors_in_a_row=racer) for racer in range(RACERS)]
        won = race(lambda racer, after=after: racing_store.polls.advance(after[racer]))
        assert won.count(True) == 1
        assert racing_store.polls.load(task_id(1)).state.errors_in_a_row == won.index(True)
    assert [entry.poll for entry in racing_store.polls.ledger(task_id(1))] == list(range(1, 2 * ROUNDS + 1))


def test_many_openings_of_one_poll_make_one(racing_store):
    race(lambda racer: racing_store.polls.open(spec(), T0))
    assert racing_store.polls.load(task_id(1)).state.polls_made == 0


def test_each_of_many_waiting_attempts_goes_to_one_of_many_workers(racing_store):
    work = racing_store.work
    for number in range(2 * RACERS):
        work.open(WorkItem(task_id(number), RUN, "pack", "pack", T0))

    def take_all(racer):
        taken = []
        while waiting := list(work.waiting("pack", T0, 5)):
            taken += [item.task_id for item in waiting if work.move(handed_to(item, f"worker-{racer}", T0))]
        return taken

    taken = [found for by_racer in race(take_all) for found in by_racer]
    assert sorted(taken) == [task_id(number) for number in range(2 * RACERS)]


def test_one_of_many_gets_the_last_place_of_a_limit(racing_store):
    for version in range(1, ROUNDS + 1):
        made = [Limiter("pack", version, (Holder(RUN, task_id(racer), T0),)) for racer in range(RACERS)]
        won = race(lambda racer, made=made: racing_store.work.limit(made[racer]))
        assert won.count(True) == 1
        assert racing_store.work.limiter("pack") == made[won.index(True)]
