"""What is told of an interface that is served: from its definition as it is stored, and as much as `check` says of its file."""

from fermata.domain.airpipe.compiling import compiled, unguarded
from fermata.domain.airpipe.explaining import explained
from fermata.domain.airpipe.overview import overview
from fermata.domain.definitions import WorkflowDefinition
from fermata.wire import records

from tests.support.airpipe import config, pack, read


def _overviews(configuration, prefix="/airpipe"):
    stored = [records.load(WorkflowDefinition, records.dump(compiled(each))) for each in configuration.interfaces]
    return {told["path"]: told for told in (overview(each, prefix) for each in stored)}


def test_where_it_answers_and_how_long_it_may_wait():
    told = _overviews(pack("demo.yml"))["/airpipe/demo/run"]
    assert {key: told[key] for key in ("method", "config", "interface", "definition", "version", "parks", "longestWaitSeconds")} == {
        "method": "POST",
        "config": "AsyncJobPollingDemo",
        "interface": "demo/run",
        "definition": "airpipe:POST:demo:run",
        "version": 1,
        "parks": True,
        "longestWaitSeconds": 150,
    }
    assert told["summary"]
    assert (told["waits"], told["ceilings"]) == (["AwaitResult: up to 2.5 min, the run parked meanwhile"], ["AwaitResult: 6 tries"])
    submit, waits, result = told["actions"]
    assert (submit["name"], submit["type"], submit["attempts"], submit["parks"]) == ("Submit", "AIRPIPE_HTTP", 1, False)
    assert (waits["attempts"], waits["longestWaitSeconds"], waits["parks"]) == (6, 150, True)
    assert waits["does"].startswith("GET http://localhost:44111/demo/jobs/status")
    assert result["longestWaitSeconds"] == 0


def test_it_says_no_less_than_check_does():
    for name in ("demo.yml", "jobs.yml"):
        lines = [line.strip() for line in explained(pack(name))]
        for told in _overviews(pack(name)).values():
            for action in told["actions"]:
                assert f"{action['name']}: {action['does']}" in lines
                assert set(action["notes"]) <= set(lines)


def test_the_organisation_variables_that_must_be_there():
    assert {tuple(told["secrets"]) for told in _overviews(pack("jobs.yml")).values()} == {("JOB_API_BASE", "JOB_API_KEY")}


def test_texts_are_told_as_they_were_written():
    told = _overviews(read(config({"name": "A", "http": {"url": "https://x.test/${a}/$${b}"}}, {"name": "B", "delay": 5000})))[
        "/airpipe/try"
    ]
    assert told["actions"][0]["does"] == "GET https://x.test/${a}/$${b}"
    assert (told["longestWaitSeconds"], told["waits"], told["ceilings"]) == (5, ["B: up to 5 s"], [])
    assert unguarded({"a": ["$${x}", 1, None]}) == {"a": ["${x}", 1, None]}
