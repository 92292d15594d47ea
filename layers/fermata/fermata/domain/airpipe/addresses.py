"""What an address names, as far as it can be told by looking at it: something inside the network, or nothing that can be asked."""

import ipaddress
import re
import unicodedata
from urllib.parse import urlsplit

_INSIDE = ("localhost", "local", "internal", "intranet", "home.arpa")
_ODD = re.compile(r"[\s\\\x00-\x1f]")


def wrong_address(url: str) -> str | None:
    """Return why nothing outside can be asked there. What a public name leads to is seen at the call."""
    try:
        parts = urlsplit(url.strip())
        host, _port = parts.hostname, parts.port
    except ValueError:
        return "it is no address"
    if _ODD.search(url.strip()) or parts.scheme.lower() not in ("http", "https") or not host:
        return "it is no address that begins with http:// or https://"
    return f"{host} is not a public address" if is_inside(host) else None


def is_inside(host: str) -> bool:
    """Tell whether a host is named or numbered as something inside, however its number is spelled."""
    name = unicodedata.normalize("NFKC", host).rstrip(".").lower()
    number = _number(name)
    if number is not None:
        return not _public(number)
    return "." not in name or any(name == each or name.endswith(f".{each}") for each in _INSIDE)


def _number(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Return the address that a number stands for: also `127.1`, `0x7f000001`, `017700000001`, as the operating system reads them."""
    try:
        return ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        pass
    numbers = [_part(part) for part in name.split(".")]
    if not 1 <= len(numbers) <= 4 or any(number is None for number in numbers):  # noqa: PLR2004 - four bytes
        return None
    *bytes_, rest = (number or 0 for number in numbers)
    if any(byte > 255 for byte in bytes_) or rest >= 256 ** (4 - len(bytes_)):  # noqa: PLR2004 - a byte
        return None
    return ipaddress.IPv4Address(sum(byte << 8 * (3 - index) for index, byte in enumerate(bytes_)) + rest)


def _part(text: str) -> int | None:
    try:
        if text.startswith("0x"):
            return int(text, 16)
        return int(text, 8 if text.startswith("0") and len(text) > 1 else 10) if text.isascii() and text.isdigit() else None
    except ValueError:
        return None


def _public(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    """Tell whether an address is public; one of IPv6 that carries one of IPv4 is what that is."""
    if isinstance(address, ipaddress.IPv6Address):
        carried = address.ipv4_mapped or address.sixtofour or (address.teredo[1] if address.teredo else None)
        if carried is None and address in ipaddress.IPv6Network("64:ff9b::/96"):
            carried = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        return address.is_global and not address.is_multicast if carried is None else _public(carried)
    return address.is_global and not address.is_multicast
