"""`outputFilter` of HTTP_POLL: a JMESPath expression whose result is kept in place of a response's body."""

from typing import Any

from fermata.domain.json_value import Json, JsonObject

MAX_STEPS = 1_000_000  # what a filter may visit; a real one over a body of megabytes needs a fraction
MAX_TEXT = 6 * 1024 * 1024  # characters; no body is longer


class FilterFailed(ValueError):
    """The expression is wrong, does not fit this response, or wants too much."""


def filtered(expression: str | None, response: JsonObject) -> dict[str, Json]:
    """Return the response map with `body` replaced by the result over `{body, headers, statusCode}`. Raises `FilterFailed`."""
    if expression is None:
        return dict(response)
    import jmespath  # loaded on first use: most polls have no filter and their door should start fast
    from jmespath.exceptions import JMESPathError

    subject = {key: response[key] for key in ("body", "headers", "statusCode")}
    try:
        result = _interpreter().visit(jmespath.compile(expression).parsed, subject)
    except (JMESPathError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise FilterFailed(f"outputFilter: {error}") from error
    if _larger_than(result, MAX_STEPS):
        raise FilterFailed("outputFilter: the result is too large")
    return {**response, "body": result}


def filter_error(expression: str) -> str | None:
    """Return what is wrong with an expression's syntax, or None."""
    import jmespath
    from jmespath.exceptions import JMESPathError

    try:
        jmespath.compile(expression)
    except (JMESPathError, RecursionError) as error:
        return str(error)
    return None


def _interpreter() -> Any:
    """Return an interpreter that stops after `MAX_STEPS` and at texts over `MAX_TEXT`: a few characters can double a value often."""
    from jmespath.visitor import TreeInterpreter

    class Bounded(TreeInterpreter):
        steps = 0

        def visit(self, node: Any, *args: Any, **kwargs: Any) -> Any:
            self.steps += 1
            result = super().visit(node, *args, **kwargs)
            if self.steps > MAX_STEPS or (isinstance(result, str) and len(result) > MAX_TEXT):
                raise ValueError("the expression asks for too much")
            return result

    return Bounded()


def _larger_than(value: Json, most: int) -> bool:
    """Tell whether a value has more than `most` members. Shared parts count each time they appear, as they would be written."""
    waiting, seen = [value], 0
    while waiting and seen <= most:
        found = waiting.pop()
        seen += 1
        if isinstance(found, dict):
            waiting.extend(found.values())
        elif isinstance(found, list):
            waiting.extend(found)
    return seen > most
