"""Pages of runs go on behind a cursor."""

import base64

import pytest

from tests.api.gateway import Gateway
from tests.support.world import step, workflow


@pytest.fixture
def ids(call: Gateway) -> set[str]:
    call("POST", "/api/metadata/workflow", workflow(step("HUMAN", "h")))
    return {call("POST", "/api/workflow/flow", {}).text for _ in range(5)}


@pytest.mark.parametrize("path", ["search", "search-v2"])
@pytest.mark.parametrize("sort", ["", "&sort=startTime:ASC"])
def test_every_run_stands_on_one_page(call: Gateway, ids: set[str], path: str, sort: str) -> None:
    page = call("GET", f"/api/workflow/{path}?size=2{sort}").json
    assert page["totalHits"] == 5
    seen = [run["workflowId"] for run in page["results"]]
    while "nextCursor" in page:
        page = call("GET", f"/api/workflow/{path}?size=2{sort}&cursor={page['nextCursor']}").json
        seen += [run["workflowId"] for run in page["results"]]
    assert (len(seen), set(seen), page["totalHits"]) == (5, ids, 1)


def test_runs_are_found_by_vendor_host(call: Gateway) -> None:
    given = {"http_request": {"uri": "https://exports.example/jobs", "method": "GET"}}
    call("POST", "/api/metadata/workflow", workflow(step("HTTP", "h", given)))
    run_id = call("POST", "/api/workflow/flow", {}).text
    found = call("GET", "/api/workflow/search?query=vendorHost%20%3D%20exports.example%20AND%20status%20%3D%20RUNNING").json
    assert [run["workflowId"] for run in found["results"]] == [run_id]
    assert call("GET", "/api/workflow/search?query=vendorHost%20%3D%20other.example").json["totalHits"] == 0


def text(place: str) -> str:
    return base64.urlsafe_b64encode(place.encode()).decode()


@pytest.mark.parametrize(
    "query",
    [f"cursor={sent}" for sent in ("x", "%FF", text("1"), text("#a"), text("x#a"), text("1#" + "a" * 201))]
    + [f"cursor={text('1#a')}&{other}" for other in ("start=1", "sort=status:ASC")],
)
def test_what_is_no_cursor_is_refused(call: Gateway, query: str) -> None:
    refused = call("GET", f"/api/workflow/search?{query}")
    assert (refused.status, "cursor" in refused.json["message"]) == (400, True)


def test_a_cursor_behind_all_runs_finds_none(call: Gateway, ids: set[str]) -> None:
    assert call("GET", f"/api/workflow/search?cursor={text('1#a')}").json == {"totalHits": 0, "results": []}
