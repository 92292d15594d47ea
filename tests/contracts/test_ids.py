"""What every `Ids` promises: a fresh lower-case UUID each time."""

import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest
from fermata.adapters.clock import UuidIds
from fermata.adapters.memory.clock import CountingIds

MANY = 500


@pytest.fixture(params=[UuidIds, CountingIds])
def ids(request):
    return request.param()


def test_an_id_is_a_uuid_in_its_usual_spelling(ids):
    drawn = ids.new_workflow_id()
    assert drawn == str(uuid.UUID(drawn))


def test_no_id_is_drawn_twice_by_threads_that_meet(ids):
    with ThreadPoolExecutor(8) as threads:
        drawn = list(threads.map(lambda _: ids.new_workflow_id(), range(MANY)))
    assert len(set(drawn)) == MANY
