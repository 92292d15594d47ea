"""The door for events: a batch from a queue of events in, the ids of what must come again out."""

from typing import Any

from aws_lambda_powertools import Logger, Metrics, Tracer
from aws_lambda_powertools.logging.utils import copy_config_to_registered_loggers
from aws_lambda_powertools.metrics import MetricUnit
from aws_lambda_powertools.utilities.typing import LambdaContext
from fermata import bootstrap
from fermata.application.handle_event import handle_batch
from fermata.wire.event_messages import from_batch

logger, metrics = Logger(), Metrics()
copy_config_to_registered_loggers(logger, include={"fermata"})  # our package logs under the door's correlation id
tracer = Tracer(patch_modules=("botocore",))  # named, because the default imports every library it could patch


@logger.inject_lambda_context(clear_state=True)
@tracer.capture_lambda_handler(capture_response=False)
def handler(event: dict[str, Any], _context: LambdaContext) -> dict[str, Any]:
    own_queue = bootstrap.events_queue()
    logger.set_correlation_id(next((found.message.message_id for found in from_batch(event, own_queue) if found.message), None))
    answer = handle_batch(bootstrap.engine(), event, own_queue)
    if failed := answer["batchItemFailures"]:
        metrics.add_metric(name="DeliveriesFailed", unit=MetricUnit.Count, value=len(failed))
        metrics.flush_metrics()
    return answer
