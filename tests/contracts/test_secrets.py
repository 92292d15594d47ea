"""What every `Secrets` promises: the value of this moment, or None; nothing of it shown."""

import pytest
from fermata.adapters.memory.secrets import MemorySecrets
from fermata.adapters.secrets import KEEP_SECONDS, ParameterSecrets

VALUES = {"token": "s3cr3t-value", "vendor/key": "other"}


@pytest.fixture(params=["memory", "moto"])
def secrets(request):
    if request.param == "memory":
        return MemorySecrets(VALUES)
    client = request.getfixturevalue("aws")("ssm")
    for name, value in VALUES.items():
        client.put_parameter(Name=f"/fermata/secrets/{name}", Value=value, Type="SecureString")
    client.put_parameter(Name="/elsewhere", Value="not ours", Type="String")
    return ParameterSecrets(client, "/fermata/secrets/")


def test_a_secret_comes_back_by_name(secrets):
    assert secrets.get("token") == "s3cr3t-value"
    assert secrets.get("vendor/key") == "other"


@pytest.mark.parametrize("name", ["nobody", "", "../elsewhere", "/elsewhere", "token ", "a//b", "ключ"])
def test_a_name_that_is_no_secret_is_none(secrets, name):
    assert secrets.get(name) is None


def test_a_secret_is_not_shown_by_the_adapter(secrets):
    secrets.get("token")
    assert "s3cr3t" not in repr(secrets)


def test_a_rotated_secret_is_used_within_half_a_minute(aws):
    client, passed = aws("ssm"), [0.0]
    client.put_parameter(Name="/p/token", Value="old", Type="SecureString")
    secrets = ParameterSecrets(client, "/p/", lambda: passed[0])
    assert secrets.get("token") == "old"
    client.put_parameter(Name="/p/token", Value="new", Type="SecureString", Overwrite=True)
    assert secrets.get("token") == "old"
    passed[0] = KEEP_SECONDS
    assert secrets.get("token") == "new"
