"""The JSON that Lambda hands a door, built as AWS builds it. Pure: values in, dicts out."""

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from urllib.parse import parse_qsl, unquote

from fermata_local.account import ACCOUNT, REGION

Event = dict[str, Any]

_TEXT_TYPES = ("text/", "application/json", "application/javascript", "application/xml", "application/x-www-form-urlencoded")


@dataclass(frozen=True)
class GatewayRequest:
    """An HTTP request as it came in. `target` is path and query, still percent-encoded; header names in any case."""

    method: str
    target: str
    headers: Sequence[tuple[str, str]] = ()
    body: bytes = b""
    source_ip: str = "127.0.0.1"


@dataclass(frozen=True)
class GatewayAnswer:
    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""


def http_api(request: GatewayRequest, request_id: str, now: datetime, route: str = "$default") -> Event:
    """Return an API Gateway HTTP API event, payload format 2.0, of the request's `route`.

    The gateway decodes the path and leaves the query string encoded; headers and query parameters that repeat are joined by
    commas; a body that is not text arrives as base64. (API Gateway developer guide, "Lambda proxy integrations".)
    """
    path, _, query = request.target.partition("?")
    headers = _joined((name.lower(), value) for name, value in request.headers)
    host = headers.get("host", "localhost")
    event: Event = {
        "version": "2.0",
        "routeKey": route,
        "rawPath": unquote(path),
        "rawQueryString": query,
        "headers": headers,
        "requestContext": {
            "accountId": ACCOUNT,
            "apiId": "local",
            "domainName": host,
            "domainPrefix": host.split(".")[0],
            "http": {
                "method": request.method,
                "path": unquote(path),
                "protocol": "HTTP/1.1",
                "sourceIp": request.source_ip,
                "userAgent": headers.get("user-agent", ""),
            },
            "requestId": request_id,
            "routeKey": route,
            "stage": "$default",
            "time": now.strftime("%d/%b/%Y:%H:%M:%S +0000"),
            "timeEpoch": int(now.timestamp() * 1000),
        },
        "isBase64Encoded": False,
    }
    if query:
        event["queryStringParameters"] = _joined(parse_qsl(query, keep_blank_values=True))
    return event | _body(request.body, headers.get("content-type", ""))


def _joined(pairs: Any) -> dict[str, str]:
    joined: dict[str, str] = {}
    for name, value in pairs:
        joined[name] = f"{joined[name]},{value}" if name in joined else value
    return joined


def _body(body: bytes, content_type: str) -> Event:
    if not body:
        return {}
    if not content_type or content_type.lower().startswith(_TEXT_TYPES):
        try:
            return {"body": body.decode(), "isBase64Encoded": False}
        except UnicodeDecodeError:
            pass  # it says text and is not: handed over as bytes, for the door to refuse
    return {"body": base64.b64encode(body).decode(), "isBase64Encoded": True}


def authorizer_request(event: Event, token: str) -> Event:
    """Return what an HTTP API asks a Lambda authorizer (payload 2.0) about a request whose identity source holds `token`."""
    asked = ("version", "routeKey", "rawPath", "rawQueryString", "headers", "queryStringParameters", "requestContext")
    route = f"arn:aws:execute-api:{REGION}:{ACCOUNT}:local/$default/{event['requestContext']['http']['method']}{event['rawPath']}"
    question = {"type": "REQUEST", "routeArn": route, "identitySource": [token]}
    return {**{name: event[name] for name in asked if name in event}, **question}


def signed(event: Event, arn: str) -> Event:
    """Return the event as it is for a request that IAM has let in: from `arn`, a caller who signed it or invokes the function itself."""
    return {**event, "requestContext": {**event["requestContext"], "authorizer": {"iam": {"userArn": arn}}}}


def gateway_answer(result: Any) -> GatewayAnswer:
    """Read what the api door returned (payload format 2.0). Raises `ValueError` when it is not an answer."""
    if not isinstance(result, dict) or not isinstance(result.get("statusCode"), int):
        raise ValueError(f"the api door returned no answer: {str(result)[:200]}")  # noqa: TRY004 - a value of any type is wrong here
    text = result.get("body") or ""
    body = base64.b64decode(text) if result.get("isBase64Encoded") else text.encode()
    headers = {**(result.get("headers") or {})}
    for name, values in (result.get("multiValueHeaders") or {}).items():
        headers[name] = ",".join(values)
    return GatewayAnswer(result["statusCode"], headers, body)


def refusal(status: int, message: str) -> GatewayAnswer:
    """Return what is answered in place of the api door, in Conductor's error shape so that its clients can show it."""
    body = {"status": status, "message": message, "retryable": False}
    return GatewayAnswer(status, {"content-type": "application/json"}, json.dumps(body).encode())


def plain_refusal(status: int, message: str) -> GatewayAnswer:
    """Return one of API Gateway's own refusals, which an HTTP API cannot give another shape."""
    return GatewayAnswer(status, {"content-type": "application/json"}, json.dumps({"message": message}).encode())


def sqs(messages: Sequence[Mapping[str, Any]], queue_arn: str) -> Event:
    """Return the batch event for messages as `receive_message` returned them, with all their attributes asked for."""
    return {"Records": [_record(message, queue_arn) for message in messages]}


def _record(message: Mapping[str, Any], queue_arn: str) -> Event:
    return {
        "messageId": message["MessageId"],
        "receiptHandle": message["ReceiptHandle"],
        "body": message["Body"],
        "attributes": dict(message.get("Attributes", {})),
        "messageAttributes": {name: _attribute(value) for name, value in message.get("MessageAttributes", {}).items()},
        "md5OfBody": message["MD5OfBody"],
        "eventSource": "aws:sqs",
        "eventSourceARN": queue_arn,
        "awsRegion": REGION,
    }


def _attribute(value: Mapping[str, Any]) -> Event:
    """SQS spells these fields upper-case, Lambda lower-case, with two empty lists."""
    fields = {name[0].lower() + name[1:]: content for name, content in value.items() if name != "BinaryValue"}
    if "BinaryValue" in value:
        fields["binaryValue"] = base64.b64encode(value["BinaryValue"]).decode()
    return {**fields, "stringListValues": [], "binaryListValues": []}


def sqs_failures(result: Any, event: Event) -> frozenset[str]:
    """Return the ids of the messages that a batch left undone (`ReportBatchItemFailures`).

    As on AWS, an answer that names an unknown message, or is no such answer, fails the whole batch; nothing returned means all done.
    """
    ids = frozenset(record["messageId"] for record in event["Records"])
    if not result:
        return frozenset()
    try:
        failed = frozenset(item["itemIdentifier"] for item in result.get("batchItemFailures") or ())
    except (AttributeError, KeyError, TypeError):
        return ids
    return ids if failed - ids else failed


def every_minute(event_id: str, now: datetime) -> Event:
    """Return what an EventBridge rule with a rate sends."""
    return {
        "version": "0",
        "id": event_id,
        "detail-type": "Scheduled Event",
        "source": "aws.events",
        "account": ACCOUNT,
        "time": now.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "region": REGION,
        "resources": [f"arn:aws:events:{REGION}:{ACCOUNT}:rule/fermata-sweeper"],
        "detail": {},
    }
