"""What the rows of access keys promise to the roles that are denied them."""

from fermata.adapters.dynamodb import keys, schema
from fermata.adapters.dynamodb.access_keys import DynamoAccessKeys
from fermata.domain.access import AccessKey, Role

from tests.contracts.builders import T0


def test_every_row_stands_in_the_one_partition_that_is_denied_and_in_no_index(table, client):
    """An index has partitions of its own, which `dynamodb:LeadingKeys` of the table's do not cover."""
    DynamoAccessKeys(table).put(AccessKey("fk-1", "ci", Role.READER, "hash", T0))
    [row] = client.scan(TableName="t")["Items"]
    assert row["pk"] == {"S": keys.ACCESS_KEYS}
    indexed = {key["AttributeName"] for index in schema.GLOBAL_SECONDARY_INDEXES for key in index["KeySchema"]}
    assert not indexed & row.keys()
