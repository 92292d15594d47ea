"""Each door may do what it does, by name, and nothing else."""

import ast

import botocore.session
import pytest
from botocore import xform_name
from fermata.adapters.dynamodb.keys import ACCESS_KEYS

SERVICES = {"dynamodb": "dynamodb", "sqs": "sqs", "scheduler": "scheduler", "s3": "s3", "ssm": "ssm", "events": "events"}
DEPLOYER_ONLY = {"dynamodb:CreateTable", "dynamodb:UpdateTimeToLive", "dynamodb:UpdateContinuousBackups"}  # schema.py, for the local cloud
SIGNING = {"ssm:PutParameter"}  # what signs tokens: the api door's alone
TRANSACTIONS = {"dynamodb:TransactWriteItems", "dynamodb:TransactGetItems"}  # no actions of their own: they need those of their parts
RECURRING = {"scheduler:UpdateSchedule", "scheduler:DeleteSchedule"}  # beside CreateSchedule, which the one-shots need as well
# No call of ours: what Lambda, X-Ray and the queue poller do in a function's name.
RUNTIME = {
    "logs:CreateLogStream",
    "logs:PutLogEvents",
    "xray:PutTraceSegments",
    "xray:PutTelemetryRecords",
    "sqs:ReceiveMessage",
    "sqs:DeleteMessage",
    "sqs:GetQueueAttributes",
    "sqs:ChangeMessageVisibility",
    "iam:PassRole",
}
QUEUE_POLLER = ("ReceiveMessage", "DeleteMessage", "GetQueueAttributes", "ChangeMessageVisibility")


def _statements(resources, role):
    properties = resources[role]["Properties"]
    documents = [policy["PolicyDocument"] for policy in properties.get("Policies", [])]
    arns = [arn["Fn::If"][1] if "Fn::If" in arn else arn for arn in properties.get("ManagedPolicyArns", [])]
    documents += [resources[arn["Ref"]]["Properties"]["PolicyDocument"] for arn in arns]
    return [statement for document in documents for statement in document["Statement"]]


def _listed(value):
    return value if isinstance(value, list) else [value]


def _actions(statements):
    """The actions that are allowed."""
    return {action for statement in statements if statement["Effect"] == "Allow" for action in _listed(statement["Action"])}


@pytest.fixture(scope="module")
def roles(functions):
    return {name: properties["Role"]["Fn::GetAtt"][0] for name, properties in functions.items()}


@pytest.fixture(scope="module")
def called(root):
    """The AWS actions behind every client method that the adapters name."""
    session = botocore.session.get_session()
    methods = {}
    for service, prefix in SERVICES.items():
        for operation in session.get_service_model(service).operation_names:
            methods.setdefault(xform_name(operation), set()).add(f"{prefix}:{operation}")
    found = set()
    for path in (root / "layers/fermata/fermata/adapters").rglob("*.py"):
        tree = ast.parse(path.read_text())
        found |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute) and "client" in ast.unparse(node.value).lower()}
        named_here = path.stem in {"alarms", "recurring", "table", "schema"}
        found |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute) and named_here}
    return set().union(*(methods.get(name, set()) for name in found)) - DEPLOYER_ONLY - TRANSACTIONS


def test_every_function_has_a_role_of_its_own(roles):
    assert len(set(roles.values())) == len(roles) == 8


def test_actions_and_resources_are_named(roles, resources):
    for role in [*roles.values(), "SchedulerRole"]:
        for statement in _statements(resources, role):
            actions = set(_listed(statement["Action"]))
            assert not any("*" in action for action in actions)
            everything = "*" in _listed(statement["Resource"])
            assert not everything or actions == {"xray:PutTraceSegments", "xray:PutTelemetryRecords"}, "X-Ray has no resources to name"


def test_the_adapters_may_make_every_call_they_make(roles, resources, called):
    assert called, "no call found in the adapters: the search of this test is wrong"
    assert called - SIGNING - RECURRING <= _actions(_statements(resources, roles["TaskRunnerFunction"]))
    assert called & _actions(_statements(resources, roles["ApiFunction"])) >= SIGNING
    for door in ("ApiFunction", "SweeperFunction"):
        assert _actions(_statements(resources, roles[door])) >= RECURRING


@pytest.mark.parametrize("door", ["AirpipeFunction", "TaskRunnerFunction", "WakeupFunction"])
def test_a_door_that_runs_tasks_sets_no_recurring_alarm(roles, resources, door):
    for statement in _statements(resources, roles[door]):
        assert not RECURRING & set(_listed(statement["Action"]))
        assert "RecurringGroup" not in str(statement["Resource"])


def test_nothing_is_permitted_that_no_adapter_calls(roles, resources, called):
    permitted = set().union(*(_actions(_statements(resources, role)) for role in roles.values()))
    assert permitted - RUNTIME <= called


def _parameters(resources, role):
    """The parameters that a role may do something with, by action."""
    return {
        (action, statement["Resource"]["Fn::Sub"].partition(":parameter")[2])
        for statement in _statements(resources, role)
        for action in _listed(statement["Action"])
        if action.startswith("ssm:")
    }


@pytest.mark.parametrize(
    ("door", "reads_secrets"),
    [
        ("ApiFunction", False),
        ("AirpipeFunction", True),
        ("AuthorizerFunction", False),
        ("SweeperFunction", False),
        ("WebFunction", False),
        ("TaskRunnerFunction", True),
        ("WakeupFunction", True),
    ],
)
def test_only_the_doors_that_call_vendors_read_secrets(roles, resources, door, reads_secrets):
    assert (("ssm:GetParameter", "${SecretsPath}*") in _parameters(resources, roles[door])) == reads_secrets


def test_only_the_doors_that_deal_with_tokens_read_what_signs_them(roles, resources, template):
    signing = template["Globals"]["Function"]["Environment"]["Variables"]["FERMATA_SIGNING_KEYS_PATH"]["Fn::Sub"] + "*"
    allowed = {door: {action for action, name in _parameters(resources, role) if name == signing} for door, role in roles.items()}
    assert {door: actions for door, actions in allowed.items() if actions} == {
        "ApiFunction": {"ssm:GetParameter", "ssm:PutParameter"},
        "AuthorizerFunction": {"ssm:GetParameter"},
    }
    assert not signing.startswith(template["Parameters"]["SecretsPath"]["Default"]), "a definition may name every secret"


def test_the_door_for_interfaces_sends_no_events_and_reaches_nothing_that_its_runs_do_not(roles, resources):
    """What an interface's run may come to ask for (`domain/airpipe`): requests with secrets, rows, alarms. No EVENT tasks."""
    own = _statements(resources, roles["AirpipeFunction"])
    assert {action for action in _actions(own) if action.startswith(("events:", "lambda:"))} == set()
    sends_to = [_listed(statement["Resource"]) for statement in own if "sqs:SendMessage" in _listed(statement["Action"])]
    assert sends_to == [[{"Fn::GetAtt": ["WorkQueue", "Arn"]}, {"Fn::GetAtt": ["WakeupQueue", "Arn"]}]]


def test_the_authorizer_reads_keys_and_no_other_row(roles, resources):
    (read,) = [found for found in _statements(resources, roles["AuthorizerFunction"]) if "dynamodb" in str(found["Action"])]
    assert read["Action"] == "dynamodb:GetItem"
    assert read["Condition"] == {"ForAllValues:StringEquals": {"dynamodb:LeadingKeys": [ACCESS_KEYS]}}


def test_the_web_door_may_write_its_log_and_its_trace_and_reaches_nothing_else(roles, resources):
    assert _actions(_statements(resources, roles["WebFunction"])) == {
        "logs:CreateLogStream",
        "logs:PutLogEvents",
        "xray:PutTraceSegments",
        "xray:PutTelemetryRecords",
    }
    (logs,) = [found for found in _statements(resources, roles["WebFunction"]) if "logs" in str(found["Action"])]
    assert logs["Resource"] == {"Fn::GetAtt": ["WebLogs", "Arn"]}


@pytest.mark.parametrize("door", ["TaskRunnerFunction", "WakeupFunction", "EventsFunction", "SweeperFunction"])
def test_a_door_that_deals_with_no_keys_is_denied_every_call_about_them(roles, resources, door):
    statements = _statements(resources, roles[door])
    of_table = [statement for statement in statements if statement["Resource"] == {"Fn::GetAtt": ["Table", "Arn"]}]
    (denied,) = [statement for statement in of_table if statement["Effect"] == "Deny"]
    assert set(denied["Action"]) == _actions(of_table)
    assert denied["Condition"] == {"ForAnyValue:StringEquals": {"dynamodb:LeadingKeys": [ACCESS_KEYS]}}


def test_only_the_doors_that_keep_or_check_keys_are_not_denied_them(roles, resources):
    """Every other door that may use the table has the denial: a new one, too."""
    uses = {
        door for door, role in roles.items() if any(action.startswith("dynamodb:") for action in _actions(_statements(resources, role)))
    }
    denied = {door for door, role in roles.items() if any(each["Effect"] == "Deny" for each in _statements(resources, role))}
    assert uses - denied == {"ApiFunction", "AuthorizerFunction"}


def test_a_door_takes_from_its_own_queue_only(roles, resources, functions):
    for name, role in roles.items():
        takes = {
            statement["Resource"]["Fn::GetAtt"][0]
            for statement in _statements(resources, role)
            if "sqs:ReceiveMessage" in _listed(statement["Action"]) and "Fn::If" not in statement["Resource"]
        }
        events = functions[name].get("Events", {}).values()
        assert takes == {event["Properties"]["Queue"]["Fn::GetAtt"][0] for event in events if event["Type"] == "SQS"}


def test_schedules_may_wake_the_wakeup_function_and_do_nothing_else(resources, functions):
    statements = _statements(resources, "SchedulerRole")
    assert _actions(statements) == {"lambda:InvokeFunction", "sqs:SendMessage"}
    (invoke,) = [statement for statement in statements if statement["Action"] == "lambda:InvokeFunction"]
    assert invoke["Resource"]["Fn::Sub"].endswith(":function:" + functions["WakeupFunction"]["FunctionName"]["Fn::Sub"])


def test_the_scheduler_role_is_passed_to_the_scheduler_only(roles, resources):
    for role in roles.values():
        for statement in _statements(resources, role):
            if statement["Action"] == "iam:PassRole":
                assert statement["Resource"] == {"Fn::GetAtt": ["SchedulerRole", "Arn"]}
                assert statement["Condition"] == {"StringEquals": {"iam:PassedToService": "scheduler.amazonaws.com"}}


def test_only_the_deployer_names_queues_and_buses_that_are_not_ours(roles, resources, template):
    chosen = {}
    for name, role in roles.items():
        for statement in _statements(resources, role):
            if "Fn::If" in statement["Resource"]:
                condition, named, otherwise = statement["Resource"]["Fn::If"]
                assert template["Parameters"][named["Ref"]]["Default"] == ""
                assert "*" not in str(otherwise)
                chosen[condition] = (name, set(_listed(statement["Action"])))
    assert chosen == {
        "SendsToQueues": ("TaskRunnerFunction", {"sqs:GetQueueUrl", "sqs:SendMessage"}),
        "SendsToBuses": ("TaskRunnerFunction", {"events:PutEvents"}),
        "ListensToQueues": ("EventsFunction", RUNTIME & {f"sqs:{verb}" for verb in QUEUE_POLLER}),
    }


def test_a_bus_reaches_the_queue_of_events_by_its_one_rule_and_its_events_say_whose_they_are(resources):
    rule, permission = resources["EventBusRule"], resources["EventBusPermission"]
    assert rule["Condition"] == permission["Condition"] == "ListensToBus"
    (target,) = rule["Properties"]["Targets"]
    assert target["Arn"] == {"Fn::GetAtt": ["EventsQueue", "Arn"]}
    assert target["InputTransformer"]["InputTemplate"]["Fn::Sub"].startswith('{"event": "eventbridge:${EventSourceBus}", "busEvent": <')
    (statement,) = permission["Properties"]["PolicyDocument"]["Statement"]
    assert (statement["Action"], statement["Resource"]) == ("sqs:SendMessage", target["Arn"])
    assert statement["Condition"]["ArnEquals"]["aws:SourceArn"]["Fn::GetAtt"][0] == "EventBusRule"
