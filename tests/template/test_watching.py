"""What goes wrong is seen: an alarm for each dead-letter queue and door, and a dashboard that names what exists."""

import json
import re


def _alarms(resources):
    return [found["Properties"] for found in resources.values() if found["Type"] == "AWS::CloudWatch::Alarm"]


def _watched(resources, metric):
    return [alarm["Dimensions"][0]["Value"] for alarm in _alarms(resources) if alarm["MetricName"] == metric]


def test_every_dead_letter_queue_has_an_alarm(resources):
    dead = {name for name, found in resources.items() if found["Type"] == "AWS::SQS::Queue" and name.endswith("DeadLetters")}
    watched = {value["Fn::GetAtt"][0] for value in _watched(resources, "ApproximateNumberOfMessagesVisible")}
    assert watched == dead
    assert len(dead) == 4


def test_every_door_has_alarms_on_errors_and_throttles(resources, functions):
    for metric in ("Errors", "Throttles"):
        assert {value["Ref"] for value in _watched(resources, metric)} == set(functions)


def test_repairs_by_the_sweeper_raise_an_alarm_on_the_metric_that_the_door_sends(template, resources, root):
    (repairs,) = [alarm for alarm in _alarms(resources) if alarm["MetricName"] == "SweeperRepairs"]
    environment = template["Globals"]["Function"]["Environment"]["Variables"]
    assert repairs["Namespace"] == environment["POWERTOOLS_METRICS_NAMESPACE"]
    assert repairs["Dimensions"] == [{"Name": "service", "Value": environment["POWERTOOLS_SERVICE_NAME"]}]
    assert '"SweeperRepairs"' in (root / "functions/sweeper/app.py").read_text()


def test_every_alarm_says_what_to_do_and_notifies_when_a_topic_is_named(resources):
    for alarm in _alarms(resources):
        assert len(alarm["AlarmDescription"].split(". ")) >= 2
        assert alarm["AlarmActions"] == {"Fn::If": ["Notifies", [{"Ref": "AlarmTopicArn"}], {"Ref": "AWS::NoValue"}]}
        assert alarm["TreatMissingData"] == "notBreaching"


def test_the_dashboard_is_json_and_names_resources_that_exist(resources):
    body = resources["Dashboard"]["Properties"]["DashboardBody"]["Fn::Sub"]
    assert json.loads(body)["widgets"]
    names = {name.split(".")[0] for name in re.findall(r"\$\{([A-Za-z.]+)\}", body)}
    assert names <= set(resources)
