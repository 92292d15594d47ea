"""Asks the deployed api function itself, past its gateway: how the first key of a stack is made, by whoever may invoke the function."""

import json
from typing import Any

import requests

from fermata_local import lambda_events
from fermata_local.cli.conductor import Refused, Unreachable
from fermata_local.clocks import RealClock


class Function:
    """A function by name or ARN, with the region and credentials that every AWS tool finds. Who may invoke it is an admin."""

    def __init__(self, name: str, client: Any = None) -> None:
        self._name = name
        self._client = client

    def call(self, method: str, path: str, body: Any = None) -> Any:
        """Return the JSON of the answer, None when it is empty. Raises `Refused`, and `Unreachable` when AWS says no."""
        content = b"" if body is None else json.dumps(body).encode()
        request = lambda_events.GatewayRequest(method, f"/api{path}", (("content-type", "application/json"),), content)
        event = lambda_events.signed(lambda_events.http_api(request, "direct", RealClock().now()), "direct")
        answer = self._invoked(json.dumps(event).encode())
        said: Any = json.loads(answer.get("body") or "null")
        if answer["statusCode"] >= requests.codes.bad_request:
            raise Refused(str(said["message"]), answer["statusCode"])
        return said

    def _invoked(self, payload: bytes) -> Any:
        from botocore.exceptions import BotoCoreError, ClientError

        try:
            invoked = self._lambda().invoke(FunctionName=self._name, Payload=payload)
        except (BotoCoreError, ClientError) as error:
            raise Unreachable(f"The function {self._name} could not be invoked: {error}") from error
        answer = json.load(invoked["Payload"])
        if "FunctionError" in invoked or "statusCode" not in answer:
            raise Unreachable(f"{self._name} failed: is it the api function of a stack (its output ApiFunctionName)? Its log says more.")
        return answer

    def _lambda(self) -> Any:
        if self._client is None:
            import boto3

            self._client = boto3.client("lambda")
        return self._client
