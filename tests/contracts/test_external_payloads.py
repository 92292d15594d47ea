"""What every `ExternalPayloads` promises: callers fetch what is shown and leave what is read, and nothing else."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from typing import Any

import pytest
from fermata.adapters.external_payloads import S3ExternalPayloads
from fermata.adapters.memory.external_payloads import MemoryExternalPayloads
from fermata.domain.errors import PayloadTooLarge
from fermata.domain.external_paths import MAX_EXTERNAL_BYTES, is_issued, is_to_be_left


class Dice:
    def __init__(self) -> None:
        self._drawn = count(1)

    def draw(self, size: int) -> bytes:
        return next(self._drawn).to_bytes(size)


@dataclass(frozen=True)
class Store:
    payloads: Any
    leave: Callable[[str, bytes], Any]


@pytest.fixture(params=["memory", "moto"])
def store(request: pytest.FixtureRequest) -> Store:
    if request.param == "memory":
        memory = MemoryExternalPayloads()
        return Store(memory, memory.leave)
    client = request.getfixturevalue("aws")("s3")
    client.create_bucket(Bucket="bucket", CreateBucketConfiguration={"LocationConstraint": "eu-west-1"})
    return Store(
        S3ExternalPayloads(client, "bucket", Dice()), lambda path, content: client.put_object(Bucket="bucket", Key=path, Body=content)
    )


def test_what_is_shown_is_at_its_path_each_time(store: Store) -> None:
    contents = [b'{"a":1}', b'{"b":2}', b'{"a":1}']
    paths = store.payloads.show(contents)
    assert paths == store.payloads.show(contents)
    assert len(set(paths)) == 2
    assert [store.payloads.read(path) for path in paths] == contents
    assert all(is_issued(path) and not is_to_be_left(path) for path in paths)
    assert store.payloads.show([]) == []


def test_what_was_left_is_read(store: Store) -> None:
    path, other = store.payloads.new_path(), store.payloads.new_path()
    assert path != other
    assert is_to_be_left(path)
    assert store.payloads.read(path) is None
    store.leave(path, b"[1]")
    assert (store.payloads.read(path), store.payloads.read(other)) == (b"[1]", None)


def test_too_much_is_not_read(store: Store) -> None:
    path = store.payloads.new_path()
    store.leave(path, b"x" * MAX_EXTERNAL_BYTES)
    assert len(store.payloads.read(path)) == MAX_EXTERNAL_BYTES
    store.leave(path, b"x" * (MAX_EXTERNAL_BYTES + 1))
    with pytest.raises(PayloadTooLarge, match="10 MB"):
        store.payloads.read(path)


def test_fetching_and_leaving_have_different_addresses(store: Store) -> None:
    path = store.payloads.new_path()
    assert store.payloads.address(path, to_leave=True) != store.payloads.address(path, to_leave=False)


def test_an_address_elsewhere_stands_below_that_url(aws: Any) -> None:
    payloads = S3ExternalPayloads(aws("s3"), "bucket", Dice(), "/payloads/")
    path = payloads.new_path()
    assert payloads.address(path, to_leave=True) == f"/payloads/{path}"
