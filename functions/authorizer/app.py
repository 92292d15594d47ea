"""The door for API Gateway's question: who sends this token?"""

from typing import Any

from aws_lambda_powertools import Logger, Tracer
from aws_lambda_powertools.logging.utils import copy_config_to_registered_loggers
from aws_lambda_powertools.utilities.typing import LambdaContext
from fermata import bootstrap

logger = Logger()
copy_config_to_registered_loggers(logger, include={"fermata"})  # our package logs under the door's correlation id
tracer = Tracer(patch_modules=("botocore",))  # named, because the default imports every library it could patch


@logger.inject_lambda_context(correlation_id_path="requestContext.requestId", clear_state=True)
@tracer.capture_lambda_handler(capture_response=False)
def handler(event: dict[str, Any], _context: LambdaContext) -> dict[str, Any]:
    return bootstrap.authorizer()(event)
