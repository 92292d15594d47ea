"""What S3's signed addresses are on AWS: payloads that clients fetch and leave past the api door, below the local server's own address."""

from typing import Any

import boto3
from fermata.domain.external_paths import is_issued, is_to_be_left

from fermata_local import environment
from fermata_local.lambda_events import GatewayAnswer, GatewayRequest, refusal

URL = environment.PAYLOAD_URL


def is_for_payloads(request: GatewayRequest) -> bool:
    return request.target.startswith(URL)


def answer(request: GatewayRequest) -> GatewayAnswer:
    """Give or take one payload. Its path, which nobody can guess, is all that is asked for."""
    path = request.target.removeprefix(URL).partition("?")[0]
    if request.method == "PUT" and is_to_be_left(path):
        _s3().put_object(Bucket=environment.BUCKET, Key=path, Body=request.body)
        return GatewayAnswer(200)
    if request.method == "GET" and is_issued(path):
        return _content(path)
    return refusal(404, f"There is nothing to {request.method} at {URL}{path[:100]}.")


def _content(path: str) -> GatewayAnswer:
    client = _s3()
    try:
        found = client.get_object(Bucket=environment.BUCKET, Key=path)
    except client.exceptions.NoSuchKey:
        return refusal(404, f"Nothing was left at {path}.")
    return GatewayAnswer(200, {"content-type": "application/json"}, found["Body"].read())


def _s3() -> Any:
    return boto3.client("s3")
