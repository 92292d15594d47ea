"""Where a request goes: a URI given by a definition or a vendor, checked and taken apart. Pure."""

import re
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv6Address, ip_address
from urllib.parse import SplitResult, quote, unquote_to_bytes, urlsplit

import idna

from fermata.adapters.http.egress import Address
from fermata.adapters.http.failures import NoAnswer
from fermata.domain.http_exchange import FailureKind

_DEFAULT_PORTS = {"http": 80, "https": 443}
_CONTROL = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")  # JSON can carry half a character (a lone surrogate); bytes cannot
_LABEL = r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
_HOST = re.compile(rf"(?=.{{1,254}}$){_LABEL}(?:\.{_LABEL})*\.?")
_NUMERIC_LABEL = re.compile(r"[0-9]+|0x[0-9a-f]*")
_STRAY_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")
_KEPT = "%/?:@!$&'()*+,;=[]~"  # RFC 3986 leaves these alone in a path or a query; quote() keeps letters, digits, `-._` too


@dataclass(frozen=True)
class Target:
    """`host` is ASCII, lower case, without brackets. `path` carries the query. `user_info` never becomes part of a message."""

    scheme: str
    host: str
    port: int
    path: str
    user_info: tuple[bytes, bytes] | None = field(default=None, repr=False)

    @property
    def origin(self) -> tuple[str, str, int]:
        return self.scheme, self.host.rstrip("."), self.port

    @property
    def place(self) -> str:
        """Host and port, for people."""
        return f"{self._bracketed}:{self.port}"

    @property
    def url(self) -> str:
        return f"{self.scheme}://{self.place}{self.path}"

    @property
    def _bracketed(self) -> str:
        return f"[{self.host}]" if ":" in self.host else self.host


def parse(uri: str, kind: FailureKind = FailureKind.BAD_URI, what: str = "The URI") -> Target:
    """Return the target. Raises `NoAnswer` of `kind`, its sentence beginning with `what`.

    Spaces and non-ASCII characters become percent-encoded; what is encoded already, dots and double slashes in the path
    stay as given. Decimal, octal and hexadecimal IPv4 spellings are refused (WHATWG URL, "ends in a number").
    """
    if _CONTROL.search(uri.strip()):
        raise NoAnswer(kind, f"{what} contains a line break or another control character.")
    try:
        parts = urlsplit(uri.strip())
        port = parts.port
        host = _host(parts.hostname or "", bracketed="[" in parts.netloc)
    except ValueError as error:  # UnicodeError and idna.IDNAError are among them
        raise NoAnswer(kind, f"{what} has no valid host and port; it should look like https://host:port/path.") from error
    if parts.scheme not in _DEFAULT_PORTS:
        raise NoAnswer(kind, f"{what} must begin with http:// or https://.")
    if not host or port == 0:
        raise NoAnswer(kind, f"{what} has no valid host and port; it should look like https://host:port/path.")
    default_port = _DEFAULT_PORTS[parts.scheme]
    return Target(parts.scheme, host, default_port if port is None else port, _path(parts), _user_info(parts))


def _host(host: str, *, bracketed: bool) -> str:
    """Return the host as it is connected to and checked, or "". Raises `ValueError` when it is neither name nor address."""
    if bracketed:
        return str(IPv6Address(host)) if "%" not in host else ""  # a zone names an interface of this machine
    name = host if host.isascii() else idna.encode(host, uts46=True).decode("ascii")
    if not _HOST.fullmatch(name):
        return ""
    if _NUMERIC_LABEL.fullmatch(name.rstrip(".").rpartition(".")[2]):
        return str(IPv4Address(name))
    return name


def as_address(host: str) -> Address | None:
    """Return the host as an address, or None when it is a name."""
    try:
        return ip_address(host)
    except ValueError:
        return None


def _path(parts: SplitResult) -> str:
    path = parts.path or "/"
    query = f"?{parts.query}" if parts.query else ""
    return quote(_STRAY_PERCENT.sub("%25", path + query), safe=_KEPT)


def _user_info(parts: SplitResult) -> tuple[bytes, bytes] | None:
    if parts.username is None:
        return None
    return unquote_to_bytes(parts.username), unquote_to_bytes(parts.password or "")
