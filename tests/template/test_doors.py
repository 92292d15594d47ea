"""Each door is deployed with what it needs, and nothing it is handed can be lost."""

import inspect
import re

from fermata import settings
from fermata.application.advance import MAX_SCRIPT_TIME
from fermata.application.airpipe.serving import ANSWERED_WITHIN, LONGEST_HOLD
from fermata.domain.timeouts import RUN_LEASE

LAMBDA_ADVICE = 6  # AWS: a queue's visibility timeout is at least six times the function's
HTTP_API_LIMIT_SECONDS = 30
SECONDS_TO_ANSWER = 4  # the last look at a run, and its tasks as JSON
AUTHORIZER_LIMIT_SECONDS = 10
NO_ENGINE = {"AuthorizerFunction", "WebFunction"}  # they decide nothing
SECONDS_TO_STORE = 10  # one more script of 4 s that began just in time, the commit and its dispatch


def test_every_door_in_the_source_is_deployed(functions, root):
    deployed = {properties["CodeUri"] for properties in functions.values()}
    assert deployed == {f"functions/{path.parent.name}" for path in root.glob("functions/*/app.py")}


def test_a_door_is_one_small_file(functions, root):
    for properties in functions.values():
        (source,) = [path for path in (root / properties["CodeUri"]).iterdir() if path.name not in {"__pycache__", "assets"}]
        assert source.name == "app.py"
        assert len(source.read_text().splitlines()) < 40


def test_every_setting_is_deployed_and_every_deployed_setting_is_read(template):
    deployed = {name for name in template["Globals"]["Function"]["Environment"]["Variables"] if name.startswith("FERMATA_")}
    read = set(re.findall(r'"(FERMATA_[A-Z_]+)"', inspect.getsource(settings)))
    assert deployed == read - {"FERMATA_EVALUATOR", "FERMATA_PAYLOAD_URL"}, "the layer's evaluator is the default, and S3 has addresses"


def test_the_web_door_is_told_what_stands_in_front_of_the_api_and_of_no_table_or_queue(template, functions):
    web = template["Resources"]["WebFunction"]
    assert web["IgnoreGlobals"] == ["Environment", "Layers", "MemorySize"]
    assert functions["WebFunction"]["Environment"]["Variables"] == {"FERMATA_API_AUTHORIZATION": {"Ref": "ApiAuthorization"}}
    assert functions["WebFunction"]["Layers"] == [{"Ref": "FermataLayer"}], "it imports no third-party package: tests/coldstart"


def test_a_queue_does_not_hand_out_again_what_a_function_still_works_on(functions, resources):
    for properties in functions.values():
        for queue in _queues(properties):
            assert resources[queue]["Properties"]["VisibilityTimeout"] >= LAMBDA_ADVICE * properties["Timeout"]


def test_what_keeps_failing_is_kept(functions, resources):
    queues = {queue for properties in functions.values() for queue in _queues(properties)}
    assert queues == {"WorkQueue", "WakeupQueue", "EventsQueue"}
    for queue in queues:
        redrive = resources[queue]["Properties"]["RedrivePolicy"]
        assert resources[redrive["deadLetterTargetArn"]["Fn::GetAtt"][0]]["Type"] == "AWS::SQS::Queue"
    assert functions["WakeupFunction"]["EventInvokeConfig"]["DestinationConfig"]["OnFailure"]["Type"] == "SQS"


def test_a_batch_reports_the_messages_that_failed(functions):
    sources = [event for properties in functions.values() for event in properties.get("Events", {}).values() if event["Type"] == "SQS"]
    assert sources
    assert all(event["Properties"]["FunctionResponseTypes"] == ["ReportBatchItemFailures"] for event in sources)


def test_the_sweeper_looks_every_minute_and_is_done_before_the_next(functions):
    sweeper = functions["SweeperFunction"]
    assert sweeper["Events"]["EveryMinute"]["Properties"]["Schedule"] == "rate(1 minute)"
    assert sweeper["Timeout"] < 60


def test_the_api_answers_before_the_gateway_gives_up(functions):
    assert functions["ApiFunction"]["Timeout"] < HTTP_API_LIMIT_SECONDS
    assert functions["AirpipeFunction"]["Timeout"] < HTTP_API_LIMIT_SECONDS


def test_an_interface_begins_nothing_that_its_door_does_not_outlive(functions):
    assert ANSWERED_WITHIN.total_seconds() < functions["AirpipeFunction"]["Timeout"]
    assert ANSWERED_WITHIN >= LONGEST_HOLD


def test_a_caller_is_held_no_longer_than_the_api_function_lives(template, functions):
    longest = template["Parameters"]["LongestHoldSeconds"]
    assert longest["MaxValue"] <= functions["ApiFunction"]["Timeout"] - SECONDS_TO_ANSWER
    assert template["Parameters"]["WorkerHoldMilliseconds"]["MaxValue"] <= longest["MaxValue"] * 1000
    assert longest["Default"] == settings.Settings().longest_hold.total_seconds()
    assert template["Parameters"]["WorkerHoldMilliseconds"]["Default"] == settings.Settings().worker_hold.total_seconds() * 1000


def test_the_authorizer_answers_before_the_gateway_gives_up(functions):
    assert functions["AuthorizerFunction"]["Timeout"] < AUTHORIZER_LIMIT_SECONDS


def test_a_message_is_taken_for_lost_only_when_no_door_can_still_be_working_on_it(functions):
    assert RUN_LEASE.total_seconds() > max(properties["Timeout"] for properties in functions.values())


def test_scripts_leave_every_door_the_time_to_store_what_was_decided(functions):
    shortest = min(properties["Timeout"] for name, properties in functions.items() if name not in NO_ENGINE)
    assert shortest - MAX_SCRIPT_TIME.total_seconds() >= SECONDS_TO_STORE


def test_every_function_logs_json_to_a_group_that_forgets(functions, resources):
    for properties in functions.values():
        logging = properties["LoggingConfig"]
        assert logging["LogFormat"] == "JSON"
        group = resources[logging["LogGroup"]["Ref"]]["Properties"]
        assert group["RetentionInDays"] == {"Ref": "LogRetentionDays"}
        assert group["LogGroupName"]["Fn::Sub"] == f"/aws/lambda/{properties['FunctionName']['Fn::Sub']}"


def _queues(properties):
    events = properties.get("Events", {}).values()
    return [event["Properties"]["Queue"]["Fn::GetAtt"][0] for event in events if event["Type"] == "SQS"]
