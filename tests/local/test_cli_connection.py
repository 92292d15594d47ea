"""Which server is meant: the sources of Conductor's own command line, never mixed, and flags above them."""

import click
import pytest
from click.testing import CliRunner
from fermata_local.cli import main
from fermata_local.cli.connection import VARIABLES, Connection, chosen
from fermata_local.cli.credentials import Credentials

ENV = {"CONDUCTOR_SERVER_URL": "http://env", "CONDUCTOR_AUTH_KEY": "env-key", "CONDUCTOR_AUTH_SECRET": "env-secret"}
OF_ENV, OF_PROD, OF_FILE = Credentials("env-key", "env-secret"), Credentials("prod-key", "prod-secret"), Credentials(token="file-token")


@pytest.fixture
def home(tmp_path):
    folder = tmp_path / ".conductor-cli"
    folder.mkdir()
    (folder / "config.yaml").write_text("server: http://file\nauth-token: file-token\nserver-type: OSS\n")
    (folder / "config-prod.yaml").write_text("server: http://prod\nauth-key: prod-key\nauth-secret: prod-secret\ncached-token: x\n")
    (folder / "config-empty.yaml").write_text("")
    (folder / "config-broken.yaml").write_text("auth-secret: 's3cret\n")
    return tmp_path


@pytest.mark.parametrize(
    ("flags", "environ", "connection"),
    [
        ({}, ENV, Connection("http://env/api", OF_ENV)),
        ({}, {}, Connection("http://file/api", OF_FILE)),
        ({}, {"CONDUCTOR_AUTH_TOKEN": "t"}, Connection("http://localhost:8080/api", Credentials(token="t"))),
        ({}, {**ENV, "CONDUCTOR_AUTH_TOKEN": "t"}, Connection("http://env/api", Credentials(token="t"))),
        ({}, {**ENV, "CONDUCTOR_PROFILE": "prod"}, Connection("http://prod/api", OF_PROD)),
        ({"profile": "prod"}, ENV, Connection("http://prod/api", OF_PROD)),
        ({"profile": "prod"}, {"CONDUCTOR_PROFILE": "empty"}, Connection("http://prod/api", OF_PROD)),
        ({"server": "http://flag"}, ENV, Connection("http://flag/api", OF_ENV)),
        ({"server": "http://flag"}, {}, Connection("http://flag/api", OF_FILE)),
        ({"server": "http://flag", "profile": "prod"}, ENV, Connection("http://flag/api", OF_PROD)),
        ({"auth-token": "t"}, ENV, Connection("http://env/api", Credentials(token="t"))),
        ({"auth-key": "k", "auth-secret": "s"}, {}, Connection("http://file/api", Credentials("k", "s"))),
    ],
)
def test_flags_then_a_named_file_then_the_environment_then_the_usual_file(home, flags, environ, connection):
    assert chosen(flags, environ, home) == connection


def test_a_file_anywhere_may_be_named(home):
    assert chosen({"config": str(home / ".conductor-cli/config-prod.yaml")}, ENV, home).url == "http://prod/api"


def test_without_anything_it_is_the_local_server(tmp_path):
    assert chosen({}, {}, tmp_path) == Connection("http://localhost:8080/api", Credentials())


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        ({"profile": "nobody"}, "config-nobody.yaml: No such file"),
        ({"profile": "empty"}, "config-empty.yaml says nothing"),
        ({"profile": "broken"}, "config-broken.yaml is not YAML"),
        ({"auth-key": "k"}, "--auth-secret or CONDUCTOR_AUTH_SECRET is missing"),
        ({"auth-secret": "s3cret"}, "--auth-key or CONDUCTOR_AUTH_KEY is missing"),
    ],
)
def test_what_cannot_be_used_is_said_without_the_secret(home, flags, said):
    with pytest.raises(click.UsageError) as raised:
        chosen(flags, {}, home)
    assert said in raised.value.message
    assert "s3cret" not in raised.value.message


def test_a_connection_shows_no_secret(home):
    assert "secret" not in repr(chosen({}, ENV, home)).replace("secret=", "")


@pytest.mark.parametrize(
    "args",
    [
        ("--server", "h:1", "task", "list"),
        ("task", "--server", "h:1", "list"),
        ("task", "list", "--server", "h:1"),
        ("--server", "h:2", "task", "list", "--server", "h:1", "-y", "--server-type", "OSS", "-v"),
    ],
)
def test_flags_may_stand_anywhere(args, monkeypatch):
    asked = []
    monkeypatch.setattr("requests.Session.request", lambda _self, method, url, **_: asked.append(url) or _Empty())
    assert CliRunner().invoke(main, args, env=dict.fromkeys(VARIABLES.values())).exit_code == 0
    assert asked == ["http://h:1/api/metadata/taskdefs"]


class _Empty:
    ok, status_code, content, url = True, 200, b"", "http://h:1/api/metadata/taskdefs"

    def json(self):
        raise ValueError
