"""Air Pipe's door: as closed as the API, its paths below the prefix; and the API's routes that publish files and tell what is served."""

import json
from typing import Any

import pytest
from fermata.api import airpipe
from fermata.application.airpipe.serving import Place
from fermata.domain.access import Authorization, Role
from fermata.ports import WorkflowQuery

from tests.api.gateway import event
from tests.api.keyring import SIGNED, Keyring
from tests.support.airpipe import PACK, config, yaml_of
from tests.support.world import World

DEMO = yaml_of(PACK / "demo.yml")
ECHO = config({"name": "A", "json_output": {"path": "a|params::id|"}}, method="GET", route="/echo/:id")
PREFIX = "/airpipe"


class Door:
    """The door of an in-memory engine, and the gateway's event that it is handed."""

    def __init__(self, ring: Keyring, authorization: Authorization, prefix: str = PREFIX) -> None:
        self.ring = ring
        self.handle = airpipe.create(ring.world.engine, Place(prefix), authorization)

    def __call__(self, method: str, target: str, body: Any = None, told: Any = None, stage: str = "$default") -> dict[str, Any]:
        built = event(method, target, body, stage=stage)
        built["requestContext"]["authorizer"] = told or {}
        answer: dict[str, Any] = json.loads(json.dumps(self.handle(built, None)))
        return answer

    def as_role(self, role: Role) -> dict[str, Any]:
        return {"lambda": self.ring.said_of(self.ring.token(role))}


def _served(authorization: Authorization, value: Any = DEMO) -> Door:
    ring = Keyring(authorization)
    told = SIGNED if authorization is not Authorization.NONE else {}
    published = ring._told(told, event("PUT", "/api/airpipe/configurations", value))
    assert published.status == 200, published.text
    return Door(ring, authorization)


def _runs(door: Door) -> int:
    return len(door.ring.world.executions.search(WorkflowQuery()).workflows)


def test_a_parked_runs_addresses_stand_below_the_prefix() -> None:
    door = _served(Authorization.NONE)
    parked = door("POST", "/airpipe/demo/run")
    told = json.loads(parked["body"])
    place = f"/airpipe/runs/{told['run_id']}"
    assert (parked["statusCode"], parked["headers"]["location"], told["status_url"]) == (202, place, place)
    assert parked["headers"]["retry-after"] == "30"
    assert json.loads(door("GET", place)["body"])["status_url"] == place
    assert door("GET", f"{place}/result")["statusCode"] == 202
    door.ring.world.run()
    assert json.loads(door("GET", f"{place}/result")["body"])["data"]["Result"]["data"]["polls"] == 3


@pytest.mark.parametrize(("stage", "before"), [("$default", ""), ("prod", "/prod"), ("v1/x", "/v1/x")])
def test_addresses_begin_as_the_caller_sees_them(stage: str, before: str) -> None:
    """A stage, and the path that a custom domain maps to the API, stand in `rawPath`."""
    parked = _served(Authorization.NONE)("POST", "/airpipe/demo/run", stage=stage)
    assert parked["headers"]["location"] == f"{before}/airpipe/runs/{json.loads(parked['body'])['run_id']}"


@pytest.mark.parametrize("path", ["/demo/run", "/airpipe", "/airpipedemo/run", "/runs/x", "/airpipe/nowhere"])
def test_what_is_not_below_the_prefix_is_nothing(path: str) -> None:
    assert _served(Authorization.NONE)("POST", path)["statusCode"] == 404


@pytest.mark.parametrize("authorization", [Authorization.AWS_IAM, Authorization.KEYS])
@pytest.mark.parametrize("target", ["POST /airpipe/demo/run", "GET /airpipe/docs.json", "GET /airpipe/nowhere", "GET /airpipe/runs/{run}"])
def test_nobody_gets_past_a_closed_door(authorization: Authorization, target: str) -> None:
    """Whoever knows a run's id learns nothing by it, either."""
    door = _served(authorization)
    run = json.loads(door("POST", "/airpipe/demo/run", told=SIGNED)["body"])["run_id"]
    method, path = target.format(run=run).split(" ")
    before = _runs(door)
    for told in ({}, {"lambda": {"problem": "INVALID_TOKEN"}}, {"lambda": {"role": "admin"}}, {"jwt": {}}):
        refused = door(method, path, told=told)
        assert refused["statusCode"] == 401
        assert json.loads(refused["body"])["error"] in {"NOT_SIGNED", "INVALID_TOKEN"}
    assert _runs(door) == before > 0


def test_a_reader_looks_and_an_operator_calls() -> None:
    door = _served(Authorization.KEYS)
    reader, operator = door.as_role(Role.READER), door.as_role(Role.OPERATOR)
    refused = door("POST", "/airpipe/demo/run", told=reader)
    assert (refused["statusCode"], json.loads(refused["body"])["error"]) == (403, "forbidden")
    assert "takes the role operator" in json.loads(refused["body"])["message"]
    assert door("GET", "/airpipe/demo/jobs/status?id=1", told=reader)["statusCode"] == 403, "a GET starts a run as well"
    place = door("POST", "/airpipe/demo/run", told=operator)["headers"]["location"]
    for path in (place, "/airpipe/docs.json"):
        assert door("GET", path, told=reader)["statusCode"] == 200
    assert door("GET", f"{place}/result", told=reader)["statusCode"] == 202


def test_a_run_says_who_called() -> None:
    door = _served(Authorization.KEYS)
    signed = json.loads(door("POST", "/airpipe/demo/run", told=SIGNED)["body"])["run_id"]
    operator = door.as_role(Role.OPERATOR)
    by_key = json.loads(door("POST", "/airpipe/demo/run", told=operator)["body"])["run_id"]
    created = [door.ring.world.view(run).workflow.created_by for run in (signed, by_key)]
    assert created == [SIGNED["iam"]["userArn"], operator["lambda"]["keyId"]]


def test_the_token_of_a_caller_is_not_kept_with_the_run() -> None:
    door = _served(Authorization.NONE, config({"name": "A", "json_output": {"all": "a|request|"}}))
    built = event("POST", "/airpipe/try", {}, headers={"x-authorization": "t0ken", "x-amz-security-token": "s3ssion", "x-trace": "7"})
    body = json.loads(door.handle(built, None)["body"])
    assert body["data"]["A"]["data"]["all"]["headers"] == {"content-type": "application/json", "x-trace": "7"}


def test_an_answer_that_no_response_can_carry_says_so() -> None:
    door = _served(Authorization.NONE, config({"name": "A", "json_output": {"it": "a|body|", "again": "a|body|"}}))
    answer = door("POST", "/airpipe/try", {"x": "y" * 4 * 1024 * 1024})
    assert (answer["statusCode"], json.loads(answer["body"])["error"]) == (500, "answer_too_large")


class Api:
    def __init__(self) -> None:
        self.ring = Keyring(Authorization.NONE)

    def __call__(self, method: str, path: str, body: Any = None) -> Any:
        return self.ring.nobody(method, path, body)


def test_a_published_file_is_told_and_served() -> None:
    api = Api()
    told = api("PUT", "/api/airpipe/configurations", ECHO).json
    assert (told["config"], told["changed"], told["withdrawn"]) == ("Test", ["airpipe:GET:echo::id"], [])
    assert told["interfaces"] == api("GET", "/api/airpipe/interfaces").json
    door = Door(api.ring, Authorization.NONE)
    assert json.loads(door("GET", "/airpipe/echo/7")["body"])["data"]["A"]["data"] == {"path": "7"}
    assert api("DELETE", "/api/airpipe/configurations/Test").json == {"config": "Test", "withdrawn": ["airpipe:GET:echo::id"]}
    assert door("GET", "/airpipe/echo/7")["statusCode"] == 404
    assert api("DELETE", "/api/airpipe/configurations/Test").status == 404


def test_a_file_with_a_mistake_is_refused_whole_with_the_place_of_each() -> None:
    api = Api()
    wrong = config({"name": "A", "database": "d"}, {"name": "B", "json_output": {}, "retry": 5})
    refused = api("PUT", "/api/airpipe/configurations", {**wrong, "interfaces": {"good": ECHO["interfaces"]["try"], **wrong["interfaces"]}})
    assert refused.status == 400
    assert {each["path"] for each in refused.json["validationErrors"]} == {
        "interfaces.try.actions.A.database",
        "interfaces.try.actions.B.retry",
    }
    assert api("GET", "/api/airpipe/interfaces").json == []


@pytest.mark.parametrize("body", [[], "x", 7, {}, {"name": "X"}, {"interfaces": {}}, {"name": "X", "interfaces": {"a": {"network": {}}}}])
def test_what_is_no_configuration_is_refused(body: Any) -> None:
    assert Api()("PUT", "/api/airpipe/configurations", json.dumps(body)).status == 400


def test_another_files_route_is_a_conflict() -> None:
    api = Api()
    api("PUT", "/api/airpipe/configurations", ECHO)
    refused = api("PUT", "/api/airpipe/configurations", {**ECHO, "name": "Other"})
    assert (refused.status, refused.json["message"]) == (409, "Test answers GET /echo/:id already")
    assert [each["config"] for each in api("GET", "/api/airpipe/interfaces").json] == ["Test"]


def test_a_world_without_interfaces_tells_of_none() -> None:
    assert World().engine.airpipe_prefix == ""
    assert Api()("GET", "/api/airpipe/interfaces").json == []
