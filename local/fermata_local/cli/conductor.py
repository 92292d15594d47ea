"""Speaks Conductor's REST to a server, and turns its refusals into messages for a person."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn
from urllib.parse import quote, urlsplit, urlunsplit

import click
import requests

from fermata_local.cli.credentials import OPEN_SERVER, Credentials, signature_for
from fermata_local.cli.exits import Exit, exit_of
from fermata_local.cli.plain import plain

DEFAULT_URL = "http://localhost:8080/api"
TIMEOUT_SECONDS = 30
WARNINGS_HEADER = "X-Fermata-Warnings"


class Refused(click.ClickException):
    """The server answered with an error. `status` is its HTTP status."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(plain(message))
        self.status = status
        self.exit_code = exit_of(status)  # type: ignore[misc] # click asks the instance


class Unreachable(click.ClickException):
    """There is no answer that could be used. The message says what to do."""

    exit_code = Exit.UNREACHABLE


def server_url(value: str | None = None) -> str:
    """Return the server's base address, ending in `/api` as clients of Conductor expect."""
    url = (value or DEFAULT_URL).rstrip("/")
    if "://" not in url:
        url = f"http://{url}"
    return url if url.endswith("/api") else f"{url}/api"


def part(text: str) -> str:
    """Return a name as one segment of a path."""
    return quote(text, safe="")


class Conductor:
    """One server. Every method raises `Refused` when it says no, and `Unreachable` when it is not there or is no Conductor."""

    def __init__(self, url: str, credentials: Credentials | None = None, *, verbose: bool = False) -> None:
        self.url = server_url(url)
        self._verbose = verbose
        self._session = requests.Session()
        self._credentials = credentials or Credentials()
        self._session.auth = signature_for(self.url, self._credentials)

    @property
    def shown_url(self) -> str:
        return _shown(self.url)

    def get(self, path: str, **params: Any) -> Any:
        return self.call("GET", path, params=params)

    def record(self, path: str, **params: Any) -> Mapping[str, Any]:
        """Return the JSON object there."""
        found = self.get(path, **params)
        return found if isinstance(found, Mapping) else self._no_conductor(path)

    def records(self, path: str, **params: Any) -> Sequence[Any]:
        """Return the JSON list there; an empty answer is an empty list."""
        found = self.get(path, **params)
        return [] if found is None else found if isinstance(found, list) else self._no_conductor(path)

    def page(self, path: str, **params: Any) -> Sequence[Any]:
        """Return the results of a search."""
        found = self.record(path, **params).get("results")
        return found if isinstance(found, list) else self._no_conductor(path)

    def post(self, path: str, body: Any = None, **params: Any) -> Any:
        return self.call("POST", path, body, params)

    def put(self, path: str, body: Any = None, **params: Any) -> Any:
        return self.call("PUT", path, body, params)

    def delete(self, path: str, **params: Any) -> Any:
        return self.call("DELETE", path, params=params)

    def call(self, method: str, path: str, body: Any = None, params: Mapping[str, Any] | None = None) -> Any:
        """Return the JSON of the answer, its text when it is not JSON, or None when it is empty. Absent parameters are None."""
        answer = self._answer(method, path, body, params or {})
        if not answer.content:
            return None
        return self._json(answer) if "json" in answer.headers.get("Content-Type", "") else answer.text

    def warnings(self, method: str, path: str, body: Any, **params: Any) -> list[Mapping[str, str]]:
        """Send a definition and return what the server warns about: none from a server that does not."""
        answer = self._answer(method, path, body, params)
        try:
            found = json.loads(answer.headers.get(WARNINGS_HEADER, "[]"))
        except ValueError:
            return []
        return [warning for warning in found if isinstance(warning, Mapping)] if isinstance(found, list) else []

    def hand_on(self, method: str, path: str, headers: Mapping[str, str], body: bytes) -> requests.Response:
        """Return the answer to somebody else's request, whatever it says. `path` may carry a query; both are encoded already."""
        return self._exchanged(method, path, {"data": body, "headers": headers, "allow_redirects": False})

    def _answer(self, method: str, path: str, body: Any, params: Mapping[str, Any]) -> requests.Response:
        given = {name: _text(value) for name, value in params.items() if value is not None}
        answer = self._exchanged(method, path, {"params": given, "json": body})
        if not answer.ok:
            raise Refused(_message(answer), answer.status_code)
        return answer

    def _exchanged(self, method: str, path: str, request: Mapping[str, Any]) -> requests.Response:
        self._get_token()
        answer = self._sent(method, path, request)
        if self._credentials.renewable(answer):
            self._get_token()
            answer = self._sent(method, path, request)
        return answer

    def _get_token(self) -> None:
        """As Conductor's clients do: a server that has no `/token` needs none."""
        key = self._credentials.asked_for()
        if key is None:
            return
        answer = self._sent("POST", "/token", {"json": key})
        if not answer.ok and answer.status_code != OPEN_SERVER:
            raise Refused(_message(answer), answer.status_code)
        self._credentials.got(self._token(answer) if answer.ok else None)

    def _token(self, answer: requests.Response) -> str:
        said = self._json(answer)
        return str(said["token"]) if isinstance(said, Mapping) and "token" in said else self._no_conductor("/token")

    def _json(self, answer: requests.Response) -> Any:
        try:
            return answer.json()
        except ValueError:
            return self._no_conductor(urlsplit(answer.url).path)

    def _no_conductor(self, path: str) -> NoReturn:
        raise Unreachable(f"{_shown(self.url)} did not answer {path} as Conductor does. Is that a Conductor server?")

    def _sent(self, method: str, path: str, request: Mapping[str, Any]) -> requests.Response:
        shown = {**request, "headers": {**request.get("headers", {}), **self._credentials.headers()}}
        try:
            answer = self._session.request(method, f"{self.url}{path}", **shown, timeout=TIMEOUT_SECONDS)
        except requests.exceptions.Timeout as error:
            raise Unreachable(f"{_shown(self.url)} did not answer within {TIMEOUT_SECONDS} s.") from error
        except requests.exceptions.RequestException as error:
            raise Unreachable(_unreachable(self.url)) from error
        if self._verbose:
            click.echo(f"{method} {_shown(answer.url)}: {answer.status_code}", err=True)
        return answer


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _shown(url: str) -> str:
    """Return the address without a password that someone may have put into it."""
    parts = urlsplit(url)
    return urlunsplit(parts._replace(netloc=parts.netloc.rsplit("@", 1)[-1]))


def _unreachable(url: str) -> str:
    return (
        f"No server at {_shown(url)}.\nStart one with: make serve\n"
        "Or name another: --server http://HOST:PORT/api, or export CONDUCTOR_SERVER_URL=http://HOST:PORT/api"
    )


def _message(answer: requests.Response) -> str:
    """Return the server's message and what is wrong with which field."""
    try:
        body = answer.json()
    except ValueError:
        body = None
    if not isinstance(body, dict):
        body = {}
    unexplained = f"{_shown(answer.url)} answered {answer.status_code} {answer.reason}. Is that a Conductor server?"
    lines = [str(body.get("message") or unexplained)]
    if answer.status_code == requests.codes.unauthorized:
        lines.append("The server asks for a key: export CONDUCTOR_AUTH_KEY=... CONDUCTOR_AUTH_SECRET=..., or use --profile.")
    violations = [violation for violation in body.get("validationErrors") or () if isinstance(violation, dict)]
    lines.extend(f"  {violation.get('path', '')}: {violation.get('message', '')}" for violation in violations)
    return "\n".join(lines)
