"""`outputFilter` of HTTP_POLL: a JMESPath expression whose result is kept in place of a response's body."""

from fermata.domain.json_value import Json, JsonObject


class FilterFailed(ValueError):
    """The expression is wrong, or does not fit this response."""


def filtered(expression: str | None, response: JsonObject) -> dict[str, Json]:
    """Return the response map with `body` replaced by the result over `{body, headers, statusCode}`. Raises `FilterFailed`."""
    if expression is None:
        return dict(response)
    import jmespath  # loaded on first use: most polls have no filter and their door should start fast
    from jmespath.exceptions import JMESPathError

    subject = {key: response[key] for key in ("body", "headers", "statusCode")}
    try:
        return {**response, "body": jmespath.search(expression, subject)}
    except (JMESPathError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise FilterFailed(f"outputFilter: {error}") from error


def filter_error(expression: str) -> str | None:
    """Return what is wrong with an expression's syntax, or None."""
    import jmespath
    from jmespath.exceptions import JMESPathError

    try:
        jmespath.compile(expression)
    except (JMESPathError, RecursionError) as error:
        return str(error)
    return None
