"""The compact form of ledger entries loses nothing."""

from datetime import UTC, datetime, timedelta

from fermata.adapters.dynamodb import poll_rows
from fermata.domain.polling import LedgerEntry, PollDecision
from hypothesis import given
from hypothesis import strategies as st

MOMENTS = st.integers(0, 10**13).map(lambda ms: datetime.fromtimestamp(0, UTC) + timedelta(milliseconds=ms))
ENTRIES = st.builds(
    LedgerEntry,
    poll=st.integers(1, 10**9),
    due=MOMENTS,
    fired=MOMENTS,
    latency=st.integers(0, 10**7).map(lambda ms: timedelta(milliseconds=ms)),
    status_code=st.none() | st.integers(100, 599),
    decision=st.sampled_from(PollDecision),
    next_due=st.none() | MOMENTS,
)


@given(st.lists(ENTRIES, min_size=1, max_size=12))
def test_entries_come_back_as_they_were(entries):
    assert list(poll_rows.read(poll_rows.written(entries))) == entries


def test_every_decision_has_a_number_of_its_own():
    assert set(poll_rows._CODES) == set(PollDecision)
    assert len(set(poll_rows._CODES.values())) == len(PollDecision)


def test_a_usual_entry_takes_about_twenty_bytes():
    due = datetime(2026, 3, 1, tzinfo=UTC)
    entries = []
    for poll in range(1, 13):
        fired = due + timedelta(seconds=2, milliseconds=345)
        entries.append(LedgerEntry(poll, due, fired, timedelta(milliseconds=180), 200, PollDecision.AGAIN, fired + timedelta(seconds=60)))
        due = fired + timedelta(seconds=60)
    assert len(poll_rows.written(entries)) < 12 * 30
