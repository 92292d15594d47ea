"""What every `Polls` promises: a small state that moves one poll at a time, and a ledger that forgets nothing."""

from dataclasses import replace
from datetime import timedelta

import pytest
from fermata.domain.polling import LedgerEntry, Poll, PollDecision, PollState
from fermata.domain.timeouts import SWEEP_GRACE
from fermata.ports import DueKind

from tests.contracts.builders import BIG, RUN, T0, next_poll, seconds, spec, task_id


@pytest.fixture
def polls(store):
    return store.polls


def state(polls, number=1):
    return polls.load(task_id(number)).state


def make_polls(polls, count):
    for _ in range(count):
        assert polls.advance(next_poll(state(polls)))


def test_an_unknown_poll_is_none(polls):
    assert polls.load(task_id(1)) is None
    assert polls.states([task_id(1)]) == {}
    assert list(polls.ledger(task_id(1))) == []
    polls.close(task_id(1))
    assert polls.load(task_id(1)) is None
    assert not polls.advance(next_poll(PollState(task_id(1), RUN, T0)))


def test_opening_stores_the_specification_and_a_fresh_state(polls):
    polls.open(spec(), T0)
    assert polls.load(task_id(1)) == Poll(spec(), PollState(task_id(1), RUN, T0))


def test_opening_again_changes_nothing(polls):
    polls.open(spec(), T0)
    make_polls(polls, 1)
    before = polls.load(task_id(1))
    polls.open(spec(), T0 + seconds(99))
    assert polls.load(task_id(1)) == before


def test_a_big_specification_comes_back_whole(polls):
    polls.open(spec(input=BIG, context={"submit": {"output": BIG}}), T0)
    assert polls.load(task_id(1)).spec == spec(input=BIG, context={"submit": {"output": BIG}})


def test_a_poll_moves_the_state(polls):
    polls.open(spec(), T0)
    after = next_poll(state(polls), errors_in_a_row=2)
    assert polls.advance(after)
    assert state(polls) == after
    assert after.started_at is not None


def test_only_the_next_poll_moves_the_state(polls):
    polls.open(spec(), T0)
    first = next_poll(state(polls))
    second = next_poll(first)
    assert not polls.advance(second)
    assert polls.advance(first)
    assert not polls.advance(replace(first, errors_in_a_row=1))
    assert state(polls) == first
    assert polls.advance(second)
    assert tuple(polls.ledger(task_id(1))) == second.recent


def test_a_poll_that_is_hastened_is_due_then_and_the_sweeper_looks_soon_after(polls, store):
    polls.open(spec(), T0)
    make_polls(polls, 1)
    before, sooner = state(polls), state(polls).due - seconds(40)
    assert polls.hasten(before, sooner)
    assert state(polls) == replace(before, due=sooner)
    assert store.due.overdue(sooner + SWEEP_GRACE - seconds(1), 10) == []
    [entry] = store.due.overdue(sooner + SWEEP_GRACE, 10)
    assert (entry.kind, entry.task_id) == (DueKind.POLL, task_id(1))
    assert polls.advance(next_poll(state(polls)))


def test_a_poll_is_hastened_only_as_it_was_seen(polls):
    polls.open(spec(), T0)
    first = state(polls)
    make_polls(polls, 1)
    seen = state(polls)
    assert not polls.hasten(first, T0 - seconds(9)), "a poll was made meanwhile"
    assert polls.hasten(seen, seen.due - seconds(9))
    assert not polls.hasten(seen, seen.due - seconds(5)), "somebody else has asked meanwhile"
    polls.close(task_id(1))
    closed = state(polls)
    assert not polls.hasten(closed, T0)
    assert not polls.hasten(replace(seen, task_id=task_id(7)), T0)
    assert state(polls) == closed


def test_a_closed_poll_does_not_move(polls):
    polls.open(spec(), T0)
    make_polls(polls, 1)
    before = state(polls)
    polls.close(task_id(1))
    polls.close(task_id(1))
    assert not polls.advance(next_poll(before))
    assert state(polls) == replace(before, is_open=False)


def test_the_last_poll_may_close_the_state_itself(polls):
    polls.open(spec(), T0)
    last = next_poll(state(polls), is_open=False)
    assert polls.advance(last)
    assert not polls.advance(next_poll(last))
    assert state(polls) == last


def test_the_ledger_keeps_every_entry_in_order(polls):
    polls.open(spec(), T0)
    made = []
    for _ in range(30):
        after = next_poll(state(polls))
        made.append(after.recent[-1])
        assert polls.advance(after)
        assert list(polls.ledger(task_id(1))) == made
    assert state(polls).polls_made == 30


def test_the_recent_entries_are_the_newest_and_few(polls):
    polls.open(spec(), T0)
    make_polls(polls, 30)
    recent = [entry.poll for entry in state(polls).recent]
    assert recent == list(range(31 - len(recent), 31))
    assert 1 <= len(recent) <= 12


@pytest.mark.parametrize("decision", list(PollDecision))
def test_an_entry_comes_back_as_it_was(polls, decision):
    polls.open(spec(), T0)
    entry = LedgerEntry(1, T0, T0 + timedelta(days=3, milliseconds=7), timedelta(minutes=2, milliseconds=1), None, decision, None)
    after = replace(state(polls), polls_made=1, recent=(entry,))
    assert polls.advance(after)
    assert list(polls.ledger(task_id(1))) == [entry]
    assert state(polls) == after


def test_an_entry_that_fired_early_or_moved_the_due_time_back_comes_back_as_it_was(polls):
    polls.open(spec(), T0)
    entry = LedgerEntry(1, T0, T0 - seconds(1), timedelta(0), 503, PollDecision.SLOW_DOWN, T0 - seconds(100))
    assert polls.advance(replace(state(polls), polls_made=1, recent=(entry,)))
    assert list(polls.ledger(task_id(1))) == [entry]


def test_states_of_many_are_read_at_once(polls):
    for number in (1, 2):
        polls.open(spec(number), T0 + seconds(number))
    assert polls.states([task_id(1), task_id(2), task_id(3)]) == {
        task_id(number): PollState(task_id(number), RUN, T0 + seconds(number)) for number in (1, 2)
    }


def test_a_removed_poll_is_gone_with_its_ledger_and_may_be_removed_again(polls, store):
    polls.open(spec(1), T0)
    polls.open(spec(2), T0)
    make_polls(polls, 14)
    polls.remove(task_id(1))
    polls.remove(task_id(1))
    assert polls.load(task_id(1)) is None
    assert list(polls.ledger(task_id(1))) == []
    assert [entry.task_id for entry in store.due.overdue(T0 + timedelta(days=9), 10)] == [task_id(2)]


@pytest.mark.parametrize("made", [0, 1, 12, 13, 30])
def test_a_part_of_the_ledger_is_what_the_whole_says(polls, made):
    polls.open(spec(), T0)
    make_polls(polls, made)
    whole = list(polls.ledger(task_id(1)))
    assert [entry.poll for entry in whole] == list(range(1, made + 1))
    for after in {0, 1, 11, 12, 13, made - 1, made, made + 5} - {-1}:
        for most in (None, 1, 12, 13, 100):
            assert list(polls.ledger(task_id(1), after, most)) == whole[after:][:most]
