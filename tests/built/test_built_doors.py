"""Each built door answers its real events: layers, handler names, environment and compiled wheels are right."""

import json
import uuid

import boto3
import pytest
from fermata_local import environment, lambda_events

DONE = {"batchItemFailures": []}


def _body(answer):
    return json.loads(answer["body"])


def test_the_layers_ship_bytecode_that_is_used_as_it_is(built_layers):
    """A read-only layer without it is compiled anew at every cold start. (Flags of a pyc: PEP 552.)"""
    sources = [path for layer in built_layers for name in ("fermata", "botocore") for path in (layer / "python" / name).glob("*.py")]
    assert sources
    for source in sources:
        (compiled,) = (source.parent / "__pycache__").glob(f"{source.stem}.cpython-*.pyc")
        flags = int.from_bytes(compiled.read_bytes()[4:8], "little")
        assert flags == 0b01, "by hash, never checked"


def test_the_api_says_it_is_healthy(doors, events):
    answer = doors("api")(events("api/health"))
    assert answer["statusCode"] == 200
    assert _body(answer)["healthy"] is True


def test_the_api_answers_an_unknown_run_in_conductors_shape(doors, events):
    answer = doors("api")(events("api/get-workflow"))
    assert answer["statusCode"] == 404
    assert _body(answer)["status"] == 404


def test_a_run_is_registered_started_and_shown(doors, events):
    api = doors("api")
    assert api(events("api/register-workflow"))["statusCode"] == 200
    started = api(events("api/start-workflow"))
    assert started["statusCode"] == 200
    workflow_id = str(uuid.UUID(started["body"]))
    shown = api(_about(events("api/get-workflow"), workflow_id))
    assert _body(shown)["status"] == "RUNNING"
    assert [task["referenceTaskName"] for task in _body(shown)["tasks"]] == ["submit_job"]


def test_the_first_key_of_a_deployment_opens_the_api_and_forged_tokens_do_not(environments, events):
    api = environments("api", FERMATA_API_AUTHORIZATION="KEYS").invoke
    authorizer = environments("authorizer", FERMATA_API_AUTHORIZATION="KEYS").invoke
    made = _body(api(events("api/first-key")))
    http = {"method": "POST", "path": "/api/token"}
    asking = {**events("api/first-key"), "rawPath": "/api/token", "body": json.dumps(made)}
    token = _body(api({**asking, "requestContext": {**asking["requestContext"], "http": http, "authorizer": {}}}))["token"]
    said = authorizer({**events("authorizer/garbage"), "identitySource": [token]})
    assert said == {"isAuthorized": True, "context": {"keyId": made["keyId"], "role": "admin", "expiresAt": said["context"]["expiresAt"]}}
    for event in ("garbage", "forged"):
        assert authorizer(events(f"authorizer/{event}")) == {"isAuthorized": True, "context": {"problem": "INVALID_TOKEN"}}


def test_an_interface_is_published_called_parked_and_looked_up(doors, events):
    """The file's calls of its own address stay in the built function: nothing listens on localhost:44111."""
    published = doors("api")(events("api/publish-airpipe"))
    assert published["statusCode"] == 200, published
    assert "/airpipe/demo/run" in [each["path"] for each in _body(published)["interfaces"]]
    airpipe = doors("airpipe")
    assert _body(airpipe(events("airpipe/call-with-parameters")))["status"] == "processing"
    parked = airpipe(events("airpipe/call-interface"))
    assert parked["statusCode"] == 202, parked
    place = parked["headers"]["location"]
    assert place == f"/airpipe/runs/{_body(parked)['run_id']}"
    assert 25 <= int(parked["headers"]["retry-after"]) <= 30
    told = _body(airpipe(_to(events("airpipe/get-run"), place)))
    assert (told["status"], told["action"], told["attempt"]) == ("suspended", "AwaitResult", 1)
    assert airpipe(events("airpipe/get-run"))["statusCode"] == 404
    shown = _body(doors("api")(_about(events("api/get-workflow"), told["run_id"])))
    assert (shown["status"], shown["workflowName"]) == ("RUNNING", "airpipe:POST:demo:run")


def test_the_door_for_interfaces_is_as_closed_as_the_api(environments, events):
    closed = environments("airpipe", FERMATA_API_AUTHORIZATION="AWS_IAM").invoke
    event = events("airpipe/get-run")
    stranger = {**event, "requestContext": {**event["requestContext"], "authorizer": {}}}
    assert closed(stranger)["statusCode"] == 401
    assert closed(event)["statusCode"] == 404


@pytest.mark.parametrize("event", ["run-task", "first-poll"])
def test_the_task_runner_lets_a_stale_message_go(doors, events, event):
    assert doors("task_runner")(events(f"task_runner/{event}")) == DONE


@pytest.mark.parametrize("event", ["poll-due", "delayed", "start-scheduled"])
def test_the_wakeup_door_lets_a_stale_wakeup_go(doors, events, event):
    assert doors("wakeup")(events(f"wakeup/{event}")) == DONE


@pytest.mark.parametrize("event", ["own-event", "queue-message", "bus-event"])
def test_the_events_door_lets_an_event_go_that_nobody_handles(doors, events, event):
    assert doors("events")(events(f"events/{event}")) == DONE


@pytest.mark.parametrize("event", ["root", "page"])
def test_the_web_door_hands_out_its_page(doors, events, event):
    answer = doors("web")(events(f"web/{event}"))
    assert answer["headers"]["Content-Security-Policy"].startswith("default-src 'none'")
    assert answer["headers"]["Strict-Transport-Security"]


def test_the_web_door_says_what_stands_in_front_of_the_api(environments, events):
    answer = environments("web", FERMATA_API_AUTHORIZATION="KEYS").invoke(events("web/server"))
    assert _body(answer)["authorization"] == "KEYS"


def test_the_sweeper_counts_what_it_repaired(doors, events):
    assert set(doors("sweeper")(events("sweeper/every-minute"))) == {"workflows", "tasks", "polls", "failures"}


def test_the_built_doors_run_a_task_that_calls_a_vendor(doors, events, cloud, endpoint):
    """The api door queues the work, the task runner makes the call: nobody listens at that port, and the run says so."""
    api, task_runner = doors("api"), doors("task_runner")
    api(events("api/register-workflow"))
    workflow_id = api({**events("api/start-workflow"), "body": json.dumps({"jobApiUrl": "http://127.0.0.1:9", "dataset": "daily"})})["body"]
    for message in _received(endpoint, cloud):
        assert task_runner(lambda_events.sqs([message], environment.queue_arn(environment.WORK_QUEUE))) == DONE
    shown = _body(api(_about(events("api/get-workflow"), workflow_id)))
    assert shown["status"] == "FAILED"
    assert "127.0.0.1" in shown["reasonForIncompletion"]


@pytest.mark.parametrize(("door", "stack"), [("task_runner", "fermata"), ("wakeup", "orders-test")])
def test_a_failed_delivery_comes_again_and_is_logged_under_its_run(environments, events, door, stack):
    broken = environments(door, FERMATA_TABLE="absent", POWERTOOLS_SERVICE_NAME=stack)
    event = events("task_runner/run-task")
    (record,) = event["Records"]
    assert broken.invoke(event) == {"batchItemFailures": [{"itemIdentifier": record["messageId"]}]}
    lines = [json.loads(line) for line in broken.printed().splitlines() if line.startswith("{")]
    (failure,) = [line for line in lines if line.get("level") == "ERROR"]
    assert failure["correlation_id"] == json.loads(record["body"])["workflowId"]
    assert failure["service"] == stack
    (metric,) = [line for line in lines if "_aws" in line]
    assert metric["DeliveriesFailed"] == [1.0]
    assert metric["_aws"]["CloudWatchMetrics"][0]["Namespace"] == "Fermata"


def test_the_sweepers_metric_is_the_one_the_alarm_watches(environments, events):
    sweeper = environments("sweeper")
    sweeper.invoke(events("sweeper/every-minute"))
    metric = next(json.loads(line) for line in sweeper.printed().splitlines() if '"_aws"' in line)
    (directive,) = metric["_aws"]["CloudWatchMetrics"]
    assert directive["Namespace"] == "Fermata"
    assert directive["Dimensions"] == [["service"]]
    assert [found["Name"] for found in directive["Metrics"]] == ["SweeperRepairs"]


def _about(event, workflow_id):
    return _to(event, f"/api/workflow/{workflow_id}")


def _to(event, path):
    context = event["requestContext"]
    return {**event, "rawPath": path, "requestContext": {**context, "http": {**context["http"], "path": path}}}


def _received(endpoint, cloud):
    sqs = boto3.client(
        "sqs",
        endpoint_url=endpoint,
        region_name=cloud["AWS_REGION"],
        aws_access_key_id=cloud["AWS_ACCESS_KEY_ID"],
        aws_secret_access_key=cloud["AWS_SECRET_ACCESS_KEY"],
    )
    url = environment.queue_url(environment.WORK_QUEUE)
    return sqs.receive_message(QueueUrl=url, MaxNumberOfMessages=10, AttributeNames=["All"]).get("Messages", [])
