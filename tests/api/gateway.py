"""An API Gateway in front of the REST door: a request in, what the caller sees out."""

import base64
import gzip
import json
from dataclasses import dataclass
from typing import Any

from fermata.api.app import create
from fermata.application.engine import Engine


class Context:
    aws_request_id = "request-1"


@dataclass(frozen=True)
class Answer:
    status: int
    headers: dict[str, str]
    text: str

    @property
    def json(self) -> Any:
        return json.loads(self.text)


def event(method: str, target: str, body: Any = None, *, headers: dict[str, str] | None = None, stage: str = "$default") -> dict[str, Any]:
    """Return an HTTP API event, payload format 2.0. `body`: text, bytes (sent as base64) or a JSON value."""
    path, _, query = target.partition("?")
    built: dict[str, Any] = {
        "version": "2.0",
        "routeKey": "$default",
        "rawPath": path if stage == "$default" else f"/{stage}{path}",
        "rawQueryString": query,
        "headers": {"content-type": "application/json", **(headers or {})},
        "requestContext": {
            "accountId": "123456789012",
            "apiId": "api",
            "http": {"method": method, "path": path, "protocol": "HTTP/1.1", "sourceIp": "192.0.2.1", "userAgent": "test"},
            "requestId": "gateway-1",
            "stage": stage,
            "timeEpoch": 0,
        },
        "isBase64Encoded": isinstance(body, bytes),
    }
    if body is not None:
        built["body"] = base64.b64encode(body).decode() if isinstance(body, bytes) else body if isinstance(body, str) else json.dumps(body)
    return built


class Gateway:
    def __init__(self, engine: Engine) -> None:
        self.door: Any = create(engine)

    def __call__(self, method: str, target: str, body: Any = None, **options: Any) -> Answer:
        return self.send(event(method, target, body, **options))

    def send(self, built: dict[str, Any]) -> Answer:
        response = json.loads(json.dumps(self.door(built, Context())))
        content = base64.b64decode(response["body"]) if response["isBase64Encoded"] else response["body"].encode()
        if response["headers"].get("Content-Encoding") == "gzip":
            content = gzip.decompress(content)
        return Answer(response["statusCode"], response["headers"], content.decode())
