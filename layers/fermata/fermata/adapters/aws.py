"""How AWS's errors become ours: the one translation that all AWS adapters share."""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from botocore.exceptions import BotoCoreError, ClientError, ConnectionError, HTTPClientError  # noqa: A004 - botocore's own name

from fermata.domain.errors import EngineBug, FermataError, TransientError

# A client of any service, injected by bootstrap. Its answers are plain dicts; each adapter reads only what it asked for.
Client: TypeAlias = Any
Answer: TypeAlias = Mapping[str, Any]

_TRY_AGAIN = frozenset(
    {
        "InternalError",
        "InternalFailure",
        "InternalServerError",
        "InternalServerException",
        "LimitExceededException",
        "PriorRequestNotComplete",
        "ProvisionedThroughputExceededException",
        "RequestLimitExceeded",
        "RequestThrottled",
        "RequestTimeout",
        "RequestTimeoutException",
        "ServiceQuotaExceededException",  # Scheduler says so when requests come too fast, too
        "ServiceUnavailable",
        "SlowDown",
        "Throttling",
        "ThrottlingException",
        "TooManyRequestsException",
        "TransactionConflictException",
        "TransactionInProgressException",
    }
)
_SERVER_ERROR = 500
_TOO_MANY = 429


class Refused(Exception):
    """AWS declined for a reason the caller named; `answer` is what it sent along."""

    def __init__(self, code: str, answer: Answer) -> None:
        super().__init__(code)
        self.code = code
        self.answer = answer


def call(operation: Callable[..., Any], params: Mapping[str, Any], refusals: frozenset[str] = frozenset()) -> Answer:
    """Call a client's operation.

    Raises `Refused` for an error code in `refusals`, `TransientError` for what may pass (throttling, 5xx, no connection), and
    `EngineBug` for everything else: a request that is wrong, a permission that is missing.
    """
    try:
        answer: Answer = operation(**params)
    except ClientError as error:
        code = error.response["Error"]["Code"]
        if code in refusals:
            raise Refused(code, error.response) from error
        raise _translated(error, code) from error
    except (ConnectionError, HTTPClientError) as error:
        raise TransientError(f"AWS could not be reached: {type(error).__name__}.") from error
    except BotoCoreError as error:
        raise EngineBug(f"An AWS call could not be made: {error}") from error
    return answer


def _translated(error: ClientError, code: str) -> FermataError:
    status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
    if code in _TRY_AGAIN or status >= _SERVER_ERROR or status == _TOO_MANY:
        return TransientError(f"{error.operation_name} answered {code}; trying again may help.")
    return EngineBug(f"{error.operation_name} was refused: {code}: {error.response['Error'].get('Message', '')}")
