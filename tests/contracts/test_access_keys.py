"""What every `AccessKeys` and every `SigningKeys` promises."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from fermata.adapters.dynamodb import schema
from fermata.adapters.dynamodb.access_keys import DynamoAccessKeys
from fermata.adapters.dynamodb.table import Table
from fermata.adapters.memory.access import MemoryAccessKeys, MemorySigningKeys
from fermata.adapters.signing_keys import KEEP_SECONDS, ParameterSigningKeys
from fermata.domain.access import AccessKey, Role, rotated

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
KEY = AccessKey("fk-a", "ci", Role.OPERATOR, "hash-1", NOW)


@pytest.fixture(params=["memory", "moto"])
def keys(request):
    if request.param == "memory":
        return MemoryAccessKeys()
    client = request.getfixturevalue("aws")("dynamodb")
    schema.create_table(client, "t")
    return DynamoAccessKeys(Table(client, "t"))


@pytest.fixture(params=["memory", "moto"])
def signing(request):
    return MemorySigningKeys() if request.param == "memory" else ParameterSigningKeys(request.getfixturevalue("aws")("ssm"), "/signing/")


def test_a_key_comes_back_as_it_was_stored(keys):
    full = rotated(replace(KEY, expires_at=NOW + timedelta(days=1), disabled=True), "secret", NOW + timedelta(hours=1))
    assert keys.put(KEY)
    assert keys.put(full)
    assert keys.get("fk-a") == full


def test_a_key_is_stored_only_over_the_version_before_it(keys):
    assert not keys.put(replace(KEY, version=2)), "nothing is stored that it could follow"
    assert keys.put(KEY)
    assert not keys.put(replace(KEY, role=Role.ADMIN)), "one of this id is there"
    assert not keys.put(replace(KEY, version=3))
    assert keys.get("fk-a") == KEY


def test_every_key_is_listed_until_it_is_deleted(keys):
    for key_id in ("fk-a", "fk-b"):
        keys.put(replace(KEY, key_id=key_id))
    assert {key.key_id for key in keys.list()} == {"fk-a", "fk-b"}
    assert keys.delete("fk-a")
    assert not keys.delete("fk-a")
    assert [key.key_id for key in keys.list()] == ["fk-b"]
    assert keys.get("fk-a") is None


@pytest.mark.parametrize("key_id", ["", "nobody", "x" * 5000, "\x00", "ключ"])
def test_an_id_that_is_nobodys_is_none(keys, key_id):
    assert keys.get(key_id) is None
    assert not keys.delete(key_id)


def test_a_signing_key_is_made_once(signing):
    assert signing.get(7) is None
    assert signing.make(7, b"first") == b"first"
    assert signing.make(7, b"second") == b"first"
    assert signing.get(7) == b"first"
    assert signing.get(8) is None


def test_a_signing_key_is_not_shown_by_the_adapter(signing):
    signing.make(7, b"first")
    signing.get(7)
    assert "first" not in repr(signing)


def test_signing_keys_are_kept_encrypted_and_one_that_was_deleted_is_forgotten_within_minutes(aws):
    client, passed = aws("ssm"), [0.0]
    signing = ParameterSigningKeys(client, "/signing/", lambda: passed[0])
    signing.make(7, b"first")
    assert client.get_parameter(Name="/signing/7")["Parameter"]["Type"] == "SecureString"
    assert signing.get(7) == b"first"
    client.delete_parameter(Name="/signing/7")
    assert signing.get(7) == b"first"
    passed[0] = KEEP_SECONDS
    assert signing.get(7) is None
