"""The door for callers of Air Pipe's interfaces: a gateway's HTTP request in, its response out."""

import re
from typing import Any

from aws_lambda_powertools import Logger, Tracer
from aws_lambda_powertools.logging.utils import copy_config_to_registered_loggers
from aws_lambda_powertools.utilities.typing import LambdaContext
from fermata import bootstrap

logger = Logger()
copy_config_to_registered_loggers(logger, include={"fermata"})  # our package logs under the door's correlation id
tracer = Tracer(patch_modules=("botocore",))  # named, because the default imports every library it could patch
_RUN = re.compile(r"/runs/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})")


@logger.inject_lambda_context(correlation_id_path="requestContext.requestId", clear_state=True)
@tracer.capture_lambda_handler(capture_response=False)  # a response holds what the caller's vendors said
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    if about := _RUN.search(event.get("rawPath", "")):
        logger.set_correlation_id(about[1])
    return bootstrap.airpipe()(event, context)
