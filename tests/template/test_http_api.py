"""The HTTP API is closed unless the deployer says otherwise, and leaves every answer to us."""

import re

import pytest
from fermata import settings
from fermata.api.roles import NEEDS, OPEN
from fermata_local import environment, gateway

CLOSED = ("ApiRoute", "AirpipeRoute")


def _routes(resources, integration="ApiIntegration"):
    """The routes to one function."""
    target = {"Fn::Sub": f"integrations/${{{integration}}}"}
    routes = {name: found for name, found in resources.items() if found["Type"] == "AWS::ApiGatewayV2::Route"}
    return {name: found for name, found in routes.items() if found["Properties"]["Target"] == target}


def test_callers_must_sign_unless_the_deployer_says_otherwise(template, resources):
    assert template["Parameters"]["ApiAuthorization"]["Default"] == "AWS_IAM"
    for closed in CLOSED:
        assert resources[closed]["Properties"]["AuthorizationType"] == {"Fn::If": ["Keys", "CUSTOM", {"Ref": "ApiAuthorization"}]}
    assert template["Conditions"]["Keys"] == {"Fn::Equals": [{"Ref": "ApiAuthorization"}, "KEYS"]}


def test_with_keys_every_request_but_the_open_ones_is_shown_to_the_authorizer(resources):
    routes = _routes(resources)
    authorizer = {"Fn::If": ["Keys", {"Ref": "ApiAuthorizer"}, {"Ref": "AWS::NoValue"}]}
    for closed in CLOSED:
        assert resources[closed]["Properties"]["AuthorizerId"] == authorizer
    routes.pop("ApiRoute")
    assert {found["Properties"]["RouteKey"] for found in routes.values()} == {route for route, need in NEEDS.items() if need is OPEN}
    for found in routes.values():
        assert found["Condition"] == "Keys", "without keys there is nothing that needs to be open"
        assert found["Properties"]["AuthorizationType"] == "NONE"


def test_pages_are_open_in_every_mode_and_nothing_else_is_behind_their_routes(resources):
    pages = {found["Properties"]["RouteKey"]: found for found in _routes(resources, "WebIntegration").values()}
    assert set(pages) == {"ANY /", "ANY /ui", "ANY /ui/{proxy+}"}
    for found in pages.values():
        assert found["Properties"]["AuthorizationType"] == "NONE"
        assert "Condition" not in found
    integration = resources["WebIntegration"]["Properties"]
    assert integration["IntegrationUri"]["Fn::Sub"].endswith(
        ":function:" + resources["WebFunction"]["Properties"]["FunctionName"]["Fn::Sub"]
    )


def test_interfaces_have_no_route_that_is_open(resources):
    assert set(_routes(resources, "AirpipeIntegration")) == {"AirpipeRoute"}


def test_the_local_gateway_has_the_deployed_routes(resources):
    assert {route for route, door in gateway.DOORS.items() if door == "web"} == {
        found["Properties"]["RouteKey"] for found in _routes(resources, "WebIntegration").values()
    }
    assert resources["ApiRoute"]["Properties"]["RouteKey"] == gateway.API_ROUTE


def test_the_local_gateway_asks_and_remembers_as_the_deployed_one_does(resources):
    authorizer = resources["ApiAuthorizer"]["Properties"]
    (source,) = authorizer["IdentitySource"]
    assert source.lower() == f"$request.header.{gateway.HEADER}"
    assert authorizer["AuthorizerResultTtlInSeconds"] == gateway.REMEMBERED.total_seconds()
    assert authorizer["EnableSimpleResponses"] is True
    assert authorizer["AuthorizerPayloadFormatVersion"] == "2.0"


def test_what_only_keys_need_is_deployed_only_with_keys(resources):
    assert {name for name, found in resources.items() if name.startswith(("Authorizer", "ApiAuthorizer", "Signing"))} == {
        name for name, found in resources.items() if found.get("Condition") == "Keys" and not name.endswith("Route")
    }


def test_one_route_takes_every_request_to_the_api_so_that_errors_are_ours(resources):
    assert resources["ApiRoute"]["Properties"]["RouteKey"] == "$default"
    assert resources["ApiStage"]["Properties"]["StageName"] == "$default"
    assert resources["ApiIntegration"]["Properties"]["PayloadFormatVersion"] == "2.0"


def test_every_request_is_logged(resources):
    settings = resources["ApiStage"]["Properties"]["AccessLogSettings"]
    assert settings["DestinationArn"] == {"Fn::GetAtt": ["AccessLogs", "Arn"]}
    assert "$context.status" in settings["Format"]


def test_interfaces_answer_below_the_prefix_that_the_functions_are_told(template, resources):
    assert resources["AirpipeRoute"]["Properties"]["RouteKey"] == {"Fn::Sub": "ANY ${AirPipePrefix}/{proxy+}"}
    assert template["Globals"]["Function"]["Environment"]["Variables"]["FERMATA_AIRPIPE_PREFIX"] == {"Ref": "AirPipePrefix"}
    assert template["Parameters"]["AirPipePrefix"]["Default"] == settings.Settings().airpipe_prefix == environment.AIRPIPE_PREFIX
    assert gateway.route_of("/airpipe/x?y=z") == f"ANY {environment.AIRPIPE_PREFIX}/{{proxy+}}"
    assert gateway.door_of("ANY /airpipe/{proxy+}") == "airpipe"


@pytest.mark.parametrize(
    ("prefix", "allowed"),
    [
        ("/airpipe", True),
        ("/v1/pipes", True),
        ("/apis", True),
        ("", False),
        ("/", False),
        ("airpipe", False),
        ("/airpipe/", False),
        ("/api", False),
        ("/api/pipes", False),
        ("/ui", False),
        ("/health", False),
        ("/a/../b", False),
        ("/{x}", False),
    ],
)
def test_the_prefix_of_interfaces_takes_no_path_that_is_taken(template, prefix, allowed):
    pattern = template["Parameters"]["AirPipePrefix"]["AllowedPattern"]
    assert bool(re.fullmatch(pattern, prefix)) == allowed


def test_each_route_leads_to_the_function_that_may_be_called_by_it(resources):
    for door in ("Api", "Airpipe"):
        function = resources[f"{door}Function"]["Properties"]["FunctionName"]["Fn::Sub"]
        assert resources[f"{door}Integration"]["Properties"]["IntegrationUri"]["Fn::Sub"].endswith(f":function:{function}")
        assert resources[f"{door}Integration"]["Properties"]["PayloadFormatVersion"] == "2.0"
        assert resources[f"{door}Permission"]["Properties"]["FunctionName"] == {"Ref": f"{door}Function"}
        assert resources[f"{door}Route"]["Properties"]["Target"]["Fn::Sub"] == f"integrations/${{{door}Integration}}"
