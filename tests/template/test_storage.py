"""What the template stores in is what the adapters expect, and is kept safe."""

from fermata.adapters.dynamodb import schema
from fermata.adapters.payloads import PREFIX
from fermata.domain.external_paths import EXTERNAL


def _by_name(definitions, key):
    return sorted(definitions, key=lambda found: found[key])


def test_the_table_has_the_keys_and_indexes_that_the_adapter_reads(resources):
    table = resources["Table"]["Properties"]
    assert table["KeySchema"] == schema.KEY_SCHEMA
    assert _by_name(table["AttributeDefinitions"], "AttributeName") == _by_name(schema.ATTRIBUTE_DEFINITIONS, "AttributeName")
    assert _by_name(table["GlobalSecondaryIndexes"], "IndexName") == _by_name(schema.GLOBAL_SECONDARY_INDEXES, "IndexName")
    assert table["BillingMode"] == schema.BILLING_MODE
    assert table["TimeToLiveSpecification"] == {"AttributeName": schema.TTL_ATTRIBUTE, "Enabled": True}


def test_the_table_can_be_restored_is_encrypted_and_outlives_the_stack(resources):
    table = resources["Table"]
    assert table["Properties"]["PointInTimeRecoverySpecification"] == {"PointInTimeRecoveryEnabled": schema.POINT_IN_TIME_RECOVERY}
    assert table["Properties"]["SSESpecification"] == {"SSEEnabled": True}
    assert table["DeletionPolicy"] == table["UpdateReplacePolicy"] == "Retain"


def test_the_payload_bucket_is_private_encrypted_and_outlives_the_stack(resources):
    bucket = resources["PayloadBucket"]
    assert set(bucket["Properties"]["PublicAccessBlockConfiguration"].values()) == {True}
    assert bucket["Properties"]["BucketEncryption"]
    assert bucket["DeletionPolicy"] == bucket["UpdateReplacePolicy"] == "Retain"
    (statement,) = resources["PayloadBucketPolicy"]["Properties"]["PolicyDocument"]["Statement"]
    assert statement["Effect"] == "Deny"
    assert statement["Condition"] == {"Bool": {"aws:SecureTransport": "false"}}


def test_what_callers_fetch_and_leave_is_kept_for_a_day(resources):
    rules = resources["PayloadBucket"]["Properties"]["LifecycleConfiguration"]["Rules"]
    (rule,) = [rule for rule in rules if rule.get("Prefix")]
    assert (rule["Prefix"], rule["ExpirationInDays"], rule["Status"]) == (EXTERNAL, 1, "Enabled")
    assert not PREFIX.startswith(EXTERNAL), "what runs need must outlast it"


def test_every_queue_is_encrypted(resources):
    queues = {name: found["Properties"] for name, found in resources.items() if found["Type"] == "AWS::SQS::Queue"}
    assert len(queues) == 7
    assert all(queue["SqsManagedSseEnabled"] for queue in queues.values())
