"""Which IP addresses may be reached: a pure decision over values. Looking names up and connecting live in `dialing`."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_network
from typing import TypeAlias

Address: TypeAlias = IPv4Address | IPv6Address
Network: TypeAlias = IPv4Network | IPv6Network

# EC2's IPv6 metadata service lives inside the unique local range; `private` must not open it (AWS, "Instance metadata").
_IPV6_METADATA = IPv6Network("fd00:ec2::/32")

_WORDS: dict[str, tuple[Network, ...]] = {
    "loopback": (IPv4Network("127.0.0.0/8"), IPv6Network("::1/128")),
    "private": (
        *(IPv4Network(text) for text in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16")),
        *IPv6Network("fc00::/7").address_exclude(_IPV6_METADATA),
    ),
    "link-local": (IPv4Network("169.254.0.0/16"), IPv6Network("fe80::/10"), _IPV6_METADATA),
    "any": (IPv4Network("0.0.0.0/0"), IPv6Network("::/0")),
}

# What is refused unless allowed, first match wins: the IANA special-purpose registries (RFC 6890 and its updates).
_REFUSED: tuple[tuple[str, str], ...] = (
    ("127.0.0.0/8", "loopback"),
    ("0.0.0.0/8", "unspecified"),
    ("10.0.0.0/8", "private"),
    ("172.16.0.0/12", "private"),
    ("192.168.0.0/16", "private"),
    ("169.254.0.0/16", "link-local"),
    ("100.64.0.0/10", "carrier-grade NAT"),
    ("192.0.0.0/24", "reserved"),
    ("192.0.2.0/24", "documentation"),
    ("192.88.99.0/24", "reserved"),
    ("198.18.0.0/15", "benchmarking"),
    ("198.51.100.0/24", "documentation"),
    ("203.0.113.0/24", "documentation"),
    ("224.0.0.0/4", "multicast"),
    ("240.0.0.0/4", "reserved"),
    ("::/128", "unspecified"),
    ("::1/128", "loopback"),
    ("::ffff:0:0/96", "IPv4-mapped"),
    ("::ffff:0:0:0/96", "IPv4-translated"),
    ("64:ff9b::/96", "NAT64"),
    ("64:ff9b:1::/48", "NAT64"),
    ("2002::/16", "6to4"),
    ("2001::/32", "Teredo"),
    ("2001::/23", "reserved"),
    ("2001:db8::/32", "documentation"),
    ("3fff::/20", "documentation"),
    ("fd00:ec2::/32", "link-local"),
    ("fc00::/7", "private"),
    ("fe80::/10", "link-local"),
    ("ff00::/8", "multicast"),
)
_REFUSED_NETWORKS = tuple((ip_network(text), name) for text, name in _REFUSED)

# Everything IANA hands out for hosts so far; the rest of IPv6 is special or unassigned (RFC 4291, section 2.4).
_IPV6_GLOBAL_UNICAST = IPv6Network("2000::/3")


@dataclass(frozen=True)
class EgressPolicy:
    """What an operator opened, on top of the public internet."""

    allowed: tuple[Network, ...] = ()

    @classmethod
    def parse(cls, allow: Sequence[str]) -> "EgressPolicy":
        """Read CIDRs and the words `loopback`, `private`, `link-local`, `any`. Raises `ValueError`, naming the entry."""
        return cls(tuple(network for entry in allow for network in _networks(entry)))

    def refusal(self, address: Address) -> str | None:
        """Return None when `address` may be reached, else the kind of address it is ("loopback", "private", ...).

        An IPv6 address that carries an IPv4 one (mapped, NAT64, 6to4, Teredo) needs both to be allowed: it leads there.
        """
        if not _within(address, self.allowed):
            return _special_kind(address)
        for carried in _carried(address):
            if carried_refusal := self.refusal(carried):
                return carried_refusal
        return None


def _networks(entry: str) -> tuple[Network, ...]:
    if entry in _WORDS:
        return _WORDS[entry]
    try:
        return (ip_network(entry),)
    except ValueError as error:
        words = ", ".join(_WORDS)
        raise ValueError(f"Egress allow-list: {entry!r} is neither one of {words} nor a network such as 10.1.0.0/16") from error


def _within(address: Address, networks: Iterable[Network]) -> bool:
    return any(address in network for network in networks)


def _special_kind(address: Address) -> str | None:
    for network, name in _REFUSED_NETWORKS:
        if address in network:
            return name
    if isinstance(address, IPv6Address) and address not in _IPV6_GLOBAL_UNICAST:
        return "reserved"
    return None


_LAST_32_BITS = tuple(IPv6Network(text) for text in ("::/96", "::ffff:0:0/96", "::ffff:0:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48"))


def _carried(address: Address) -> tuple[IPv4Address, ...]:
    """Return the IPv4 addresses inside an IPv6 one, none for ordinary addresses."""
    if isinstance(address, IPv4Address) or address in IPv6Network("::/127"):
        return ()
    if address.teredo is not None:
        return address.teredo
    if address.sixtofour is not None:
        return (address.sixtofour,)
    if _within(address, _LAST_32_BITS):
        return (IPv4Address(int(address) & 0xFFFFFFFF),)
    return ()
