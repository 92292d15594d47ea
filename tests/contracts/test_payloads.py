"""What every `Payloads` promises: content by a name derived from it."""

import pytest
from fermata.adapters.memory.payloads import MemoryPayloads
from fermata.adapters.payloads import S3Payloads
from fermata.domain.errors import EngineBug


@pytest.fixture(params=["memory", "moto"])
def payloads(request):
    """A function that opens the one store afresh, as another process would."""
    if request.param == "memory":
        store = MemoryPayloads()
        return lambda: store
    client = request.getfixturevalue("aws")("s3")
    client.create_bucket(Bucket="bucket", CreateBucketConfiguration={"LocationConstraint": "eu-west-1"})
    return lambda: S3Payloads(client, "bucket")


def test_content_comes_back_byte_for_byte(payloads):
    content = bytes(range(256)) * 1000
    key = payloads().put("run", content)
    assert payloads().get(key) == content


def test_equal_content_of_a_run_has_an_equal_key(payloads):
    assert payloads().put("run", b"a") == payloads().put("run", b"a")
    assert payloads().put("run", b"a") != payloads().put("run", b"b")


def test_a_repeated_put_changes_nothing(payloads):
    store = payloads()
    keys = {store.put("run", b"a") for _ in range(3)}
    assert len(keys) == 1
    assert store.get(keys.pop()) == b"a"


def test_content_that_is_not_there_is_a_bug(payloads):
    with pytest.raises(EngineBug):
        payloads().get("payloads/run/nothing")


def test_s3_is_not_asked_twice_for_what_it_was_given(aws):
    aws("s3").create_bucket(Bucket="bucket", CreateBucketConfiguration={"LocationConstraint": "eu-west-1"})
    store = S3Payloads(aws("s3"), "bucket")
    key = store.put("run", b"a")
    aws("s3").delete_object(Bucket="bucket", Key=key)
    assert store.put("run", b"a") == key
    assert store.get(key) == b"a"
    with pytest.raises(EngineBug):
        S3Payloads(aws("s3"), "bucket").get(key)
