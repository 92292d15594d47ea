"""Which word of a vendor's answer tells the state of its job."""

from typing import Any

import pytest
from fermata.domain.remote_state import LONGEST_BYTES, remote_state


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"state": "RUNNING", "progress": 40}, "RUNNING"),
        ({"id": 1, "Status": "in progress"}, "in progress"),
        ({"job_status": "QUEUED"}, "QUEUED"),
        ({"jobStatus": "a", "status": "b"}, "b"),  # the plain name counts before one that only ends like it
        ({"state": {"life_cycle_state": "RUNNING", "result_state": "SUCCESS"}}, "RUNNING"),
        ({"data": {"state": "done"}}, "done"),
        ({"job": {"phase": 3}}, "3"),
        ({"state": None, "data": {"status": "x"}}, "x"),
        ({"status": True}, None),
        ({"progress": 1, "items": [{"status": "x"}]}, None),
        ({"a": {"b": {"state": "too deep"}}}, None),
        ("RUNNING", "RUNNING"),  # what an outputFilter made of the body
        ("", None),
        (None, None),
        ([1], None),
        ({"state": ' a\n\tb\x01\ud800"\\ '}, "a b"),
    ],
)
def test_the_word_is_found_by_the_names_that_apis_give_it(body: Any, said: str | None) -> None:
    assert remote_state({"body": body, "statusCode": 200}) == said


@pytest.mark.parametrize("text", ["x" * 99, "ü" * 99, "\U0001f600" * 99])
def test_a_long_word_is_cut_to_what_the_hot_row_has_room_for(text: str) -> None:
    said = remote_state({"body": {"state": text}})
    assert said
    assert text.startswith(said)
    assert len(said.encode()) <= LONGEST_BYTES
