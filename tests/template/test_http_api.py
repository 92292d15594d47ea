"""The HTTP API is closed unless the deployer says otherwise, and leaves every answer to us."""


def test_callers_must_sign_unless_the_deployer_opens_the_api(template, resources):
    assert template["Parameters"]["ApiAuthorization"]["Default"] == "AWS_IAM"
    routes = [found["Properties"] for found in resources.values() if found["Type"] == "AWS::ApiGatewayV2::Route"]
    assert routes
    assert all(route["AuthorizationType"] == {"Ref": "ApiAuthorization"} for route in routes)


def test_one_route_takes_every_request_so_that_errors_are_ours(resources):
    assert resources["ApiRoute"]["Properties"]["RouteKey"] == "$default"
    assert resources["ApiStage"]["Properties"]["StageName"] == "$default"
    assert resources["ApiIntegration"]["Properties"]["PayloadFormatVersion"] == "2.0"


def test_every_request_is_logged(resources):
    settings = resources["ApiStage"]["Properties"]["AccessLogSettings"]
    assert settings["DestinationArn"] == {"Fn::GetAtt": ["AccessLogs", "Arn"]}
    assert "$context.status" in settings["Format"]
