"""DynamoDB's errors become ours once, and what a batch leaves out is asked for again."""

import boto3
import pytest
from botocore.exceptions import ConnectTimeoutError, EndpointConnectionError, NoCredentialsError, ReadTimeoutError
from botocore.stub import Stubber
from fermata.adapters.aws import call
from fermata.adapters.dynamodb import Table, keys
from fermata.domain.errors import EngineBug, TransientError

RUNS = [keys.run(str(number)) for number in range(3)]


@pytest.fixture
def stubbed():
    client = boto3.client("dynamodb", region_name="eu-west-1", aws_access_key_id="testing", aws_secret_access_key="testing")
    with Stubber(client) as stubber:
        yield stubber, Table(client, "t")


@pytest.mark.parametrize(
    ("code", "status", "expected"),
    [
        ("ProvisionedThroughputExceededException", 400, TransientError),
        ("ThrottlingException", 400, TransientError),
        ("RequestLimitExceeded", 400, TransientError),
        ("TransactionConflictException", 400, TransientError),
        ("InternalServerError", 500, TransientError),
        ("SomethingNew", 503, TransientError),
        ("SomethingNew", 429, TransientError),
        ("ValidationException", 400, EngineBug),
        ("AccessDeniedException", 400, EngineBug),
        ("ResourceNotFoundException", 400, EngineBug),
        ("ItemCollectionSizeLimitExceededException", 400, EngineBug),
    ],
)
def test_who_should_act_follows_from_the_code(stubbed, code, status, expected):
    stubber, table = stubbed
    stubber.add_client_error("update_item", code, http_status_code=status)
    with pytest.raises(expected) as raised:
        table.update(RUNS[0], {"b": None}, "attribute_exists(pk)", {})
    assert raised.value.__cause__ is not None


def test_a_failed_condition_is_an_answer(stubbed):
    stubber, table = stubbed
    stubber.add_client_error("update_item", "ConditionalCheckFailedException")
    assert table.update(RUNS[0], {"b": None}, "attribute_exists(pk)", {}) is None


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (EndpointConnectionError(endpoint_url="u"), TransientError),
        (ConnectTimeoutError(endpoint_url="u"), TransientError),
        (ReadTimeoutError(endpoint_url="u"), TransientError),
        (NoCredentialsError(), EngineBug),
    ],
)
def test_no_answer_may_pass_and_a_call_that_cannot_be_made_may_not(error, expected):
    def operation():
        raise error

    with pytest.raises(expected):
        call(operation, {})


def test_what_a_batch_leaves_out_is_asked_for_again(stubbed):
    stubber, table = stubbed
    rest = {"t": {"Keys": RUNS[1:], "ConsistentRead": True}}
    stubber.add_response("batch_get_item", {"Responses": {"t": RUNS[:1]}, "UnprocessedKeys": rest})
    stubber.add_response("batch_get_item", {"Responses": {"t": RUNS[1:]}, "UnprocessedKeys": {}}, {"RequestItems": rest})
    assert list(table.batch_get(RUNS)) == RUNS


def test_a_batch_that_gives_nothing_again_and_again_may_pass(stubbed):
    stubber, table = stubbed
    rest = {"t": {"Keys": RUNS, "ConsistentRead": True}}
    for _ in range(3):
        stubber.add_response("batch_get_item", {"Responses": {}, "UnprocessedKeys": rest})
    with pytest.raises(TransientError):
        list(table.batch_get(RUNS))


def test_a_batch_asks_for_a_hundred_at_a_time(stubbed):
    stubber, table = stubbed
    asked = [keys.run(str(number)) for number in range(250)]
    for start in (0, 100, 200):
        request = {"RequestItems": {"t": {"Keys": asked[start : start + 100], "ConsistentRead": True}}}
        stubber.add_response("batch_get_item", {"Responses": {"t": asked[start : start + 100]}}, request)
    assert list(table.batch_get(asked)) == asked
    assert list(table.batch_get([])) == []
