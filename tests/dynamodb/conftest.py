"""A metered table in moto."""

import boto3
import pytest
from fermata.adapters.dynamodb import Table, schema
from moto import mock_aws

from tests.dynamodb.metering import Meter


@pytest.fixture
def client():
    with mock_aws():
        made = new_client()
        schema.create_table(made, "t")
        yield made


@pytest.fixture
def table(client):
    return Table(client, "t")


@pytest.fixture
def meter(client):
    return Meter(client, new_client(), "t")


@pytest.fixture
def rows(client):
    """A function that returns every stored item."""
    return lambda: client.scan(TableName="t")["Items"]


def new_client():
    return boto3.client("dynamodb", region_name="eu-west-1", aws_access_key_id="testing", aws_secret_access_key="testing")
