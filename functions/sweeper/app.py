"""The door that opens every minute: what is overdue is sent again, and counted."""

from dataclasses import asdict
from typing import Any

from aws_lambda_powertools import Logger, Metrics, Tracer
from aws_lambda_powertools.logging.utils import copy_config_to_registered_loggers
from aws_lambda_powertools.metrics import MetricUnit
from aws_lambda_powertools.utilities.typing import LambdaContext
from fermata import bootstrap
from fermata.application.sweep import sweep

logger, metrics = Logger(), Metrics()
copy_config_to_registered_loggers(logger, include={"fermata"})  # our package logs under the door's correlation id
tracer = Tracer(patch_modules=("botocore",))  # named, because the default imports every library it could patch


@logger.inject_lambda_context(clear_state=True)
@tracer.capture_lambda_handler
@metrics.log_metrics
def handler(_event: dict[str, Any], _context: LambdaContext) -> dict[str, int]:
    swept: dict[str, int] = asdict(sweep(bootstrap.engine()))
    metrics.add_metric(name="SweeperRepairs", unit=MetricUnit.Count, value=sum(swept.values()))
    logger.info("swept", extra=swept)
    return swept
