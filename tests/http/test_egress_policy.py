"""Which addresses may be reached: a table of values."""

from ipaddress import ip_address

import pytest
from fermata.adapters.http.egress import EgressPolicy

REFUSED_BY_DEFAULT = {
    "127.0.0.1": "loopback",
    "127.255.255.254": "loopback",
    "0.0.0.0": "unspecified",
    "0.1.2.3": "unspecified",
    "10.0.0.1": "private",
    "172.16.0.1": "private",
    "172.31.255.255": "private",
    "192.168.1.1": "private",
    "169.254.169.254": "link-local",
    "169.254.170.2": "link-local",
    "100.64.0.1": "carrier-grade NAT",
    "100.127.255.255": "carrier-grade NAT",
    "192.0.0.170": "reserved",
    "192.0.2.1": "documentation",
    "198.18.0.1": "benchmarking",
    "203.0.113.9": "documentation",
    "224.0.0.1": "multicast",
    "240.0.0.1": "reserved",
    "255.255.255.255": "reserved",
    "::": "unspecified",
    "::1": "loopback",
    "::7f00:1": "reserved",
    "::ffff:127.0.0.1": "IPv4-mapped",
    "::ffff:8.8.8.8": "IPv4-mapped",
    "::ffff:0:127.0.0.1": "IPv4-translated",
    "64:ff9b::127.0.0.1": "NAT64",
    "64:ff9b::a9fe:a9fe": "NAT64",
    "64:ff9b:1::a00:1": "NAT64",
    "2002:7f00:1::": "6to4",
    "2001:0:4136:e378:8000:63bf:3fff:fdd2": "Teredo",
    "2001:10::1": "reserved",
    "2001:db8::1": "documentation",
    "fc00::1": "private",
    "fd12:3456::1": "private",
    "fd00:ec2::254": "link-local",
    "fe80::1": "link-local",
    "fe80::1%eth0": "link-local",
    "fec0::1": "reserved",
    "ff02::1": "multicast",
    "100::1": "reserved",
    "4000::1": "reserved",
}

OPEN_BY_DEFAULT = ["8.8.8.8", "1.1.1.1", "100.63.255.255", "100.128.0.1", "172.15.0.1", "172.32.0.1", "2606:4700::1111", "2a00:1450::1"]


@pytest.mark.parametrize(("address", "kind"), REFUSED_BY_DEFAULT.items())
def test_special_addresses_are_refused_by_their_kind(address, kind):
    assert EgressPolicy().refusal(ip_address(address)) == kind


@pytest.mark.parametrize("address", OPEN_BY_DEFAULT)
def test_the_public_internet_is_open(address):
    assert EgressPolicy().refusal(ip_address(address)) is None


@pytest.mark.parametrize("address", REFUSED_BY_DEFAULT)
def test_any_opens_everything(address):
    assert EgressPolicy.parse(["any"]).refusal(ip_address(address)) is None


@pytest.mark.parametrize(
    ("allow", "address", "kind"),
    [
        ("loopback", "127.0.0.1", None),
        ("loopback", "::1", None),
        ("loopback", "10.0.0.1", "private"),
        ("loopback", "169.254.169.254", "link-local"),
        ("loopback", "::ffff:127.0.0.1", "IPv4-mapped"),
        ("private", "10.9.8.7", None),
        ("private", "fd12:3456::1", None),
        ("private", "127.0.0.1", "loopback"),
        ("private", "169.254.169.254", "link-local"),
        ("private", "fd00:ec2::254", "link-local"),
        ("private", "100.64.0.1", "carrier-grade NAT"),
        ("link-local", "169.254.169.254", None),
        ("link-local", "fd00:ec2::254", None),
        ("10.1.0.0/16", "10.1.2.3", None),
        ("10.1.0.0/16", "10.2.2.3", "private"),
        ("100.64.0.0/10", "100.64.0.1", None),
        ("192.168.1.7", "192.168.1.7", None),
        ("fd00:1::/32", "fd00:1::5", None),
        ("64:ff9b::/96", "64:ff9b::808:808", None),
        ("64:ff9b::/96", "64:ff9b::127.0.0.1", "loopback"),
        ("2002::/16", "2002:a9fe:a9fe::", "link-local"),
        ("2000::/3", "2001:0:7f00:1::1", "loopback"),
        ("::ffff:0:0/96", "::ffff:10.0.0.1", "private"),
    ],
)
def test_the_allow_list_opens_what_it_names_and_nothing_behind_it(allow, address, kind):
    assert EgressPolicy.parse([allow]).refusal(ip_address(address)) == kind


def test_an_address_that_carries_another_needs_both():
    assert EgressPolicy.parse(["64:ff9b::/96", "loopback"]).refusal(ip_address("64:ff9b::127.0.0.1")) is None


@pytest.mark.parametrize("entry", ["localhost", "10.0.0.5/8", "300.0.0.1", "Loopback", ""])
def test_an_unknown_entry_is_named(entry):
    with pytest.raises(ValueError, match="allow-list") as error:
        EgressPolicy.parse(["loopback", entry])
    assert repr(entry) in str(error.value)
