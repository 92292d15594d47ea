"""Request headers: what may be sent, what is ours to set, and what may not follow to another origin. Pure."""

import re
from base64 import b64encode
from collections.abc import Mapping

from fermata.adapters.http.failures import NoAnswer
from fermata.domain.http_exchange import FailureKind

USER_AGENT = "fermata/0.1.0"

# Only what the standard library decodes, so that no vendor is invited to answer in something unreadable.
DECODABLE_CODINGS = ("gzip", "deflate")

_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")  # RFC 9110, section 5.6.2: methods and header names
_FORBIDDEN_IN_VALUE = re.compile(r"[\x00-\x08\x0a-\x1f\x7f\ud800-\udfff]")

# How a body is framed and a connection kept is decided here and not by a definition: a wrong length would smuggle or hang.
_OURS = frozenset({"content-length", "transfer-encoding", "connection", "keep-alive", "te", "trailer", "upgrade", "expect"})

_DESCRIBES_BODY = frozenset({"content-type", "content-encoding", "content-language", "content-location", "content-md5", "digest"})
_CREDENTIAL = re.compile(r"auth|cookie|key|token|secret|passw|credential|signature|session", re.IGNORECASE)
_NOT_CREDENTIAL = frozenset({"idempotency-key"})


def prepared(given: Mapping[str, str], user_info: tuple[bytes, bytes] | None) -> dict[str, str]:
    """Return the headers to send, names as given, one per name whatever its case (the last one wins).

    Raises `NoAnswer` (BAD_URI: the definition is wrong) for a name or a value that HTTP does not allow.
    """
    by_name: dict[str, tuple[str, str]] = {}
    for name, value in given.items():
        _check(name, value)
        by_name[name.lower()] = (name, value.strip(" \t"))
    for name in _OURS:
        by_name.pop(name, None)
    by_name.setdefault("user-agent", ("User-Agent", USER_AGENT))
    by_name["accept-encoding"] = ("Accept-Encoding", _accept_encoding(by_name.get("accept-encoding")))
    if user_info is not None:
        credentials = b64encode(b":".join(user_info)).decode("ascii")
        by_name.setdefault("authorization", ("Authorization", f"Basic {credentials}"))
    return dict(by_name.values())


def check_method(method: str) -> None:
    """Raises `NoAnswer` when `method` cannot stand in a request line."""
    if not _TOKEN.fullmatch(method):
        raise NoAnswer(FailureKind.BAD_URI, "The HTTP method must be a single word such as GET or POST.")


def for_redirect(headers: Mapping[str, str], *, same_origin: bool, keeps_body: bool) -> dict[str, str]:
    """Return what follows a redirect: no Host, nothing that describes a dropped body, to another origin no credentials."""
    dropped = {"host"} | (set() if keeps_body else _DESCRIBES_BODY)
    kept = {name: value for name, value in headers.items() if name.lower() not in dropped}
    return kept if same_origin else {name: value for name, value in kept.items() if not _is_credential(name)}


def _is_credential(name: str) -> bool:
    # By the look of the name: X-Api-Key has many cousins (X-Functions-Key, X-Auth-Token, Ocp-Apim-Subscription-Key, ...).
    return _CREDENTIAL.search(name) is not None and name.lower() not in _NOT_CREDENTIAL


def _check(name: str, value: str) -> None:
    if not _TOKEN.fullmatch(name):
        raise NoAnswer(FailureKind.BAD_URI, "A header name is empty or contains a character that HTTP does not allow there.")
    if _FORBIDDEN_IN_VALUE.search(value):
        raise NoAnswer(FailureKind.BAD_URI, f"The value of header {name} contains a line break or another control character.")


def _accept_encoding(given: tuple[str, str] | None) -> str:
    if given is None:
        return ", ".join(DECODABLE_CODINGS)
    codings = (part.strip() for part in given[1].split(","))
    kept = [part for part in codings if part.partition(";")[0].strip().lower() in (*DECODABLE_CODINGS, "identity")]
    return ", ".join(kept) or "identity"
