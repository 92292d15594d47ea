"""Which server is meant and what it is shown: flags, a profile, the environment or the file of Conductor's own command line."""

import functools
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from fermata_local.cli.conductor import Conductor, server_url
from fermata_local.cli.credentials import Credentials

FOLDER = ".conductor-cli"
# By the name that flags and files have.
VARIABLES = {
    "server": "CONDUCTOR_SERVER_URL",
    "auth-key": "CONDUCTOR_AUTH_KEY",
    "auth-secret": "CONDUCTOR_AUTH_SECRET",
    "auth-token": "CONDUCTOR_AUTH_TOKEN",
}
_AUTH = ("auth-key", "auth-secret", "auth-token")
_META = "fermata.flags"


@dataclass(frozen=True)
class Connection:
    """`repr` shows no secret."""

    url: str
    credentials: Credentials


def chosen(flags: Mapping[str, str], environ: Mapping[str, str], home: Path) -> Connection:
    """Return the connection of these flags.

    Conductor's rule: sources are not mixed. A file that is named (`config`, `profile`, CONDUCTOR_PROFILE) is the source; else the
    environment, when it says anything; else the file `config.yaml`. A flag wins over each; one about keys replaces what the source
    says of keys. Raises `click.UsageError` for a file that cannot be read, and for half a key.
    """
    found = dict(_source(flags, environ, home))
    given = {name: flags[name] for name in VARIABLES if flags.get(name)}
    if any(name in given for name in _AUTH):
        found = {name: value for name, value in found.items() if name not in _AUTH}
    settings = {**found, **given}
    return Connection(server_url(settings.get("server")), _credentials(settings))


def _source(flags: Mapping[str, str], environ: Mapping[str, str], home: Path) -> Mapping[str, str]:
    profile = flags.get("profile") or environ.get("CONDUCTOR_PROFILE")
    if flags.get("config"):
        return _read(Path(flags["config"]))
    if profile:
        return _read(home / FOLDER / f"config-{profile}.yaml")
    told = {name: environ[variable] for name, variable in VARIABLES.items() if environ.get(variable)}
    usual = home / FOLDER / "config.yaml"
    return _read(usual) if not told and usual.exists() else told


def _read(file: Path) -> Mapping[str, str]:
    import yaml

    try:
        content = yaml.safe_load(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise click.UsageError(f"Cannot read {file}: {getattr(error, 'strerror', None) or 'it is not text'}.") from error
    except yaml.YAMLError as error:
        # The reader's own message quotes the line, and the line may be the secret.
        raise click.UsageError(f"{file} is not YAML. It takes lines such as `server: https://HOST/api`.") from error
    if not isinstance(content, Mapping):
        raise click.UsageError(f"{file} says nothing. It takes lines such as `server: https://HOST/api`.")
    return {name: str(content[name]) for name in VARIABLES if content.get(name)}


def _credentials(settings: Mapping[str, str]) -> Credentials:
    key_id, secret, token = (settings.get(name) for name in _AUTH)
    if token:
        return Credentials(token=token)
    if bool(key_id) != bool(secret):
        missing = "secret" if key_id else "key"
        raise click.UsageError(f"A key is an id and a secret: --auth-{missing} or {VARIABLES[f'auth-{missing}']} is missing.")
    return Credentials(key_id, secret)


def server_flags(*, hidden: bool) -> list[click.Option]:
    """Return the options that name a server; what they say is kept for `connected`."""
    return [click.Option(list(names), **{**_KEPT, "hidden": hidden, **more}) for names, more in _FLAGS]


def _keep(context: click.Context, option: click.Parameter, value: Any) -> None:
    if value:
        context.meta.setdefault(_META, {})[str(option.opts[-1]).lstrip("-")] = value


_KEPT: Mapping[str, Any] = {"expose_value": False, "callback": _keep}
_FLAGS: tuple[tuple[tuple[str, ...], Mapping[str, Any]], ...] = (
    (("--server",), {"metavar": "URL", "help": "The server's address [CONDUCTOR_SERVER_URL; http://localhost:8080/api]."}),
    (("--auth-key",), {"metavar": "ID", "help": "A key's id [CONDUCTOR_AUTH_KEY]."}),
    (
        ("--auth-secret",),
        {"metavar": "SECRET", "help": "Its secret [CONDUCTOR_AUTH_SECRET]. Other users of this machine can see flags: better not here."},
    ),
    (("--auth-token",), {"metavar": "TOKEN", "help": "A token instead of a key [CONDUCTOR_AUTH_TOKEN]."}),
    (("--profile",), {"metavar": "NAME", "help": "Read all that from ~/.conductor-cli/config-NAME.yaml [CONDUCTOR_PROFILE]."}),
    (("--config",), {"metavar": "FILE", "help": "Read all that from FILE."}),
    (("-v", "--verbose"), {"is_flag": True, "help": "Show each request and its answer's status."}),
    # Conductor's own command line asks before it deletes, and keeps two kinds of server apart. Scripts written for it stay valid.
    (("-y", "--yes"), {"is_flag": True, "hidden": True}),
    (("--server-type",), {"hidden": True}),
)


def connected(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the server as its first argument, and the flags that name it."""

    @functools.wraps(command)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        return command(server_of(click.get_current_context()), *args, **kwargs)

    for names, more in _FLAGS:
        wrapped = click.option(*names, **{**_KEPT, "hidden": True, **more})(wrapped)
    return wrapped


def server_of(context: click.Context) -> Conductor:
    """Return the server that the flags, the environment or a file name. Raises `click.UsageError` as `chosen` does."""
    flags = context.meta.get(_META, {})
    connection = chosen(flags, os.environ, Path.home())
    return Conductor(connection.url, connection.credentials, verbose=bool(flags.get("verbose")))
