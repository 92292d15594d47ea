"""From host and port to a connected socket: resolve once, keep what the egress policy allows, connect to exactly that."""

import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from typing import TypeAlias

from fermata.adapters.http.egress import Address, EgressPolicy
from fermata.adapters.http.failures import NoAnswer
from fermata.adapters.http.target import as_address
from fermata.domain.http_exchange import FailureKind

# Host and port to IP addresses as text, best first. Raises `socket.gaierror` for a name that is not known.
Resolver: TypeAlias = Callable[[str, int], Sequence[str]]


def system_resolver(host: str, port: int) -> Sequence[str]:
    """Ask the operating system. It has its own time limits; ours cannot interrupt it."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(sockaddr[0]) for *_, sockaddr in found]


@dataclass(frozen=True)
class Dialer:
    """Opens TCP connections inside a policy. Between check and connect no name is looked up again (DNS rebinding)."""

    policy: EgressPolicy
    resolve: Resolver
    clock: Callable[[], float]

    def open(self, host: str, port: int, timeout: float) -> socket.socket:
        """Return a connected socket within `timeout` seconds, all addresses of the host together.

        Raises `NoAnswer`: DNS, FORBIDDEN_ADDRESS, TIMEOUT or CONNECT.
        """
        place = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        addresses = self._allowed(self._addresses(host, port, place), place)
        until = self.clock() + timeout
        refused: OSError | None = None
        for index, address in enumerate(addresses):
            share = (until - self.clock()) / (len(addresses) - index)  # so that a dead first address leaves time for the second
            if share <= 0:
                break
            try:
                return _connected(address, port, share)
            except TimeoutError:
                continue
            except OSError as error:
                refused = error
        if refused is not None:
            why = refused.strerror or "it is not reachable"
            raise NoAnswer(FailureKind.CONNECT, f"No connection to {place}: {why.lower()}.") from refused
        raise NoAnswer(FailureKind.TIMEOUT, f"No connection to {place} within the connection timeout of {timeout * 1000:.0f} ms.")

    def _addresses(self, host: str, port: int, place: str) -> Sequence[Address]:
        if literal := as_address(host):
            return (literal,)
        try:
            found = [ip_address(text) for text in self.resolve(host, port)]
        except (OSError, UnicodeError) as error:
            raise NoAnswer(FailureKind.DNS, f"The host name in {place} cannot be resolved.") from error
        if not found:
            raise NoAnswer(FailureKind.DNS, f"The host name in {place} has no address.")
        return tuple(dict.fromkeys(found))

    def _allowed(self, addresses: Sequence[Address], place: str) -> Sequence[Address]:
        refusals = {address: self.policy.refusal(address) for address in addresses}
        allowed = [address for address, refusal in refusals.items() if refusal is None]
        if not allowed:
            kinds = " and ".join(sorted({kind for kind in refusals.values() if kind}))
            raise NoAnswer(
                FailureKind.FORBIDDEN_ADDRESS, f"{place} is a {kinds} address, which the operator's egress policy does not allow."
            )
        return allowed


def _connected(address: Address, port: int, timeout: float) -> socket.socket:
    family = socket.AF_INET6 if isinstance(address, IPv6Address) else socket.AF_INET
    sock = socket.socket(family, socket.SOCK_STREAM)
    try:
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sock.settimeout(timeout)
        sock.connect((str(address), port))
    except BaseException:
        sock.close()
        raise
    return sock
