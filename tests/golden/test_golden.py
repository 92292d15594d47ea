"""Every golden case: its definition, played as its story tells, ends as expected."""

import json

import pytest

from tests.golden import listing
from tests.golden.playing import FILES, HERE, cases, load, narrowed, play, refusal, refused_start, told

GAPS = {"event-published"}


@pytest.mark.parametrize("case", cases())
def test_a_golden_case_ends_as_expected(case):
    definition, story, expected = load(case)
    if "refused" in expected:
        assert refusal(definition) == expected["refused"]
        return
    if "startRefused" in expected:
        assert refused_start(definition, story) == expected["startRefused"]
        return
    played = play(definition, story)
    assert narrowed(told(played), expected) == expected
    assert "answers" in expected or not any(played.answers), "an expectation names what is answered"


@pytest.mark.parametrize("case", cases())
def test_a_golden_case_is_complete(case):
    _, story, expected = load(case)
    assert {path.stem for path in (HERE / case).iterdir()} == set(FILES)
    assert story["title"]
    assert set(story["covers"]) <= {row["id"] for row in listing.rows()}
    assert {"status", "tasks"} <= expected.keys() or {"refused", "startRefused"} & expected.keys()


def test_the_list_of_cases_is_up_to_date():
    assert listing.PAGE.read_text() == listing.page(), "run: make golden-list"


def test_every_outcome_has_a_case():
    covered = {row for case in cases() for row in load(case)[1]["covers"]}
    assert {row["id"] for row in listing.rows()} - covered <= GAPS


def test_every_row_has_one_id():
    ids = [row["id"] for row in json.loads(listing.ROWS.read_text())]
    assert len(ids) == len(set(ids))
