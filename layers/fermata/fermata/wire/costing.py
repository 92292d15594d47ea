"""What a run costs, as our own API tells it."""

from fermata.domain.costing import CostEstimate
from fermata.domain.json_value import Json


def cost_to_json(found: CostEstimate) -> Json:
    return {
        "polls": found.polls,
        "requests": found.requests,
        "invocations": found.invocations,
        "writeUnits": found.write_units,
        "readUnits": found.read_units,
        "usd": found.usd,
        "pricesAsOf": found.prices_as_of,
    }
