"""The local cloud as a gateway and as an environment, with doors that stand in for the engine's."""

import os
import threading
from contextlib import nullcontext
from datetime import UTC, datetime, timedelta

import boto3
import pytest
import requests
from fermata import bootstrap
from fermata.domain.limits import Limits
from fermata_local import environment, server
from fermata_local.clocks import RealClock, SkippingClock, skipping_from_now
from fermata_local.cloud import LAMBDA_PAYLOAD_LIMIT_BYTES, LocalCloud, Stuck

START = datetime(2026, 1, 1, tzinfo=UTC)


def _nothing(event, context):
    return None


def _cloud(said=None, clock=None, **doors):
    handlers = dict.fromkeys(("api", "task_runner", "wakeup", "events", "sweeper"), _nothing) | doors
    return LocalCloud(
        clock or SkippingClock(START), doors_of=lambda _clock: nullcontext(handlers), say=(said if said is not None else []).append
    )


def test_a_request_reaches_the_api_door_and_its_answer_comes_back():
    def api(event, context):
        return {"statusCode": 201, "headers": {"Content-Type": "text/plain"}, "body": event["rawPath"] + context.function_name}

    with _cloud(api=api) as cloud:
        answer = cloud.api("GET", "/api/x")
    assert (answer.status, answer.text) == (201, "/api/xfermata-api")


def test_an_answer_carries_the_date_of_the_clouds_clock():
    with _cloud(api=lambda event, context: {"statusCode": 200, "body": ""}) as cloud:
        cloud.clock.skip_to(START + timedelta(days=40))
        assert cloud.api("GET", "/api/x").headers["Date"] == "Tue, 10 Feb 2026 00:00:00 GMT"


def test_a_door_that_raises_is_an_error_500_one_line_and_a_count():
    said = []
    with _cloud(said, api=lambda event, context: 1 / 0) as cloud:
        answer = cloud.api("GET", "/api/x")
        assert answer.status == 500
        assert cloud.failures == said
    [line] = said
    assert line.startswith("api: ZeroDivisionError: division by zero (test_cloud.py:")


def test_a_door_gets_and_gives_nothing_but_json():
    with _cloud(api=lambda event, context: {"statusCode": 200, "body": {1, 2}}) as cloud:
        assert cloud.api("GET", "/api/x").status == 500
        assert "TypeError" in cloud.failures[0]


def test_a_request_too_big_for_a_function_is_413():
    with _cloud() as cloud:
        answer = cloud.api("POST", "/api/x", {"text": "x" * (LAMBDA_PAYLOAD_LIMIT_BYTES + 1)})
    assert (answer.status, answer.json["status"]) == (413, 413)
    assert "6 MB" in answer.json["message"]


def test_an_answer_too_big_for_a_function_is_500_and_said():
    with _cloud(api=lambda event, context: {"statusCode": 200, "body": "x" * (LAMBDA_PAYLOAD_LIMIT_BYTES + 1)}) as cloud:
        assert cloud.api("GET", "/api/x").status == 500
        assert "6 MB" in cloud.failures[0]


def test_secrets_of_the_environment_are_parameters_under_the_secrets_path(monkeypatch):
    monkeypatch.setenv("CONDUCTOR_SECRET_TOKEN", "s3cret")
    with _cloud():
        found = boto3.client("ssm").get_parameter(Name=f"{environment.SECRETS_PATH}TOKEN", WithDecryption=True)
    assert found["Parameter"]["Value"] == "s3cret"


def test_the_doors_find_a_deployments_variables_and_the_process_is_left_as_it_was(monkeypatch):
    monkeypatch.setenv("AWS_PROFILE", "mine")
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://elsewhere")
    before = dict(os.environ)
    with LocalCloud(SkippingClock(START), min_poll_interval=5, doors_of=lambda _clock: nullcontext({})):
        assert os.environ["FERMATA_MIN_POLL_INTERVAL_SECONDS"] == "5"
        assert os.environ["FERMATA_EGRESS_ALLOW"] == "loopback,private"
        assert {"AWS_PROFILE", "AWS_ENDPOINT_URL"}.isdisjoint(os.environ)
    assert dict(os.environ) == before


def test_no_metrics_are_printed_however_often_the_sweeper_comes(capsys):
    with LocalCloud(SkippingClock(START)) as cloud:
        for _ in range(201):
            cloud.doors("sweeper", {})
    assert capsys.readouterr().out == ""


def test_waiting_for_what_never_happens_says_so():
    with _cloud() as cloud, pytest.raises(Stuck):
        cloud.run_until(lambda: False, timedelta(hours=1))


def test_the_pump_in_the_background_delivers_and_skips_what_requests_leave_behind():
    arrived = threading.Event()

    def api(event, context):
        queue = environment.queue_url(environment.WAKEUP_QUEUE)
        boto3.client("sqs").send_message(QueueUrl=queue, MessageBody="later", DelaySeconds=900)
        return {"statusCode": 200}

    def wakeup(event, context):
        arrived.set()

    with _cloud(clock=skipping_from_now(), api=api, wakeup=wakeup) as cloud, server.serving(cloud.http) as url:
        cloud.start_pump()
        requests.post(f"{url}/api/x", timeout=5)
        assert arrived.wait(5)
        assert cloud.failures == []


def test_a_closed_cloud_leaves_no_engine_of_its_own_behind(monkeypatch):
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-west-1")  # the engine after it makes clients of its own
    clock = SkippingClock(START)
    with LocalCloud(clock):
        assert bootstrap.engine().clock is clock
    assert bootstrap.engine().clock is not clock
    bootstrap.use_clock(RealClock())  # forgets the engine that this test has made


def test_the_ceilings_in_the_environment_reach_the_engine(monkeypatch):
    monkeypatch.setenv("FERMATA_MAX_LOOP_ITERATIONS", "5")
    with LocalCloud(SkippingClock(START), doors_of=lambda _clock: nullcontext({})):
        assert bootstrap.engine.__wrapped__().limits == Limits(max_loop_iterations=5)
