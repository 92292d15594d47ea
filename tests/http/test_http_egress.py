"""The egress policy at the socket: the address that is checked is the address that is connected to, at every hop."""

import socket

import pytest
from fermata.domain.http_exchange import FailureKind

from tests.http.vendors import Vendor, always, answered, client, failed, redirect, reply, request


def resolver(**names):
    """Answers from a table and counts its questions."""
    asked = []

    def resolve(host, port):
        asked.append(host)
        if host.replace(".", "_") not in names:
            raise socket.gaierror(socket.EAI_NONAME, "unknown")
        return names[host.replace(".", "_")]

    resolve.asked = asked
    return resolve


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0", "LocalHost"])
def test_loopback_is_out_of_reach_in_every_spelling(host):
    with Vendor(always(reply())) as vendor:
        failure = failed(client("10.0.0.0/8").send(request(vendor.url(host=host))))
    assert failure.kind is FailureKind.FORBIDDEN_ADDRESS
    assert "egress policy" in failure.reason
    assert str(vendor.port) in failure.reason
    assert vendor.connections == 0


@pytest.mark.parametrize("host", ["2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "127.1", "127.0.0.1."])
def test_numeric_spellings_are_no_uris(host):
    resolve = resolver()
    assert failed(client(resolve=resolve).send(request(f"http://{host}:9001/"))).kind is FailureKind.BAD_URI
    assert resolve.asked == []


def test_a_name_for_an_inner_address_is_out_of_reach():
    http = client("10.0.0.0/8", resolve=resolver(inner_example=["127.0.0.1"]))
    with Vendor(always(reply())) as vendor:
        failure = failed(http.send(request(vendor.url(host="inner.example"))))
    assert failure.reason == f"inner.example:{vendor.port} is a loopback address, which the operator's egress policy does not allow."
    assert vendor.connections == 0


@pytest.mark.parametrize("location", ["http://169.254.169.254/latest/meta-data/", "http://[fd00:ec2::254]/", "http://meta.example/"])
def test_a_redirect_to_the_metadata_service_is_out_of_reach(location):
    http = client(resolve=resolver(meta_example=["169.254.169.254"]))
    with Vendor(always(redirect(location))) as vendor:
        failure = failed(http.send(request(vendor.url())))
    assert failure.kind is FailureKind.FORBIDDEN_ADDRESS
    assert "link-local" in failure.reason


def test_a_redirect_to_a_name_for_loopback_is_out_of_reach():
    http = client("127.0.0.1/32", resolve=resolver(inner_example=["127.0.0.2"]))
    with Vendor(always(redirect("http://inner.example:9001/2018-06-01/runtime/invocation/next"))) as vendor:
        assert failed(http.send(request(vendor.url()))).kind is FailureKind.FORBIDDEN_ADDRESS


def test_a_name_is_resolved_once_for_a_connection():
    answers = iter([["127.0.0.1"], ["10.0.0.1"]])
    http = client(resolve=lambda host, port: next(answers))
    with Vendor(always(reply(b"first"))) as vendor:
        assert answered(http.send(request(vendor.url(host="rebinding.example")))).body == b"first"
        assert vendor.seen[0].headers["host"] == f"rebinding.example:{vendor.port}"


def test_a_name_that_changes_its_address_is_checked_anew_on_the_next_connection():
    answers = iter([["127.0.0.1"], ["169.254.169.254"]])
    http = client(resolve=lambda host, port: next(answers))
    with Vendor(always(reply(headers=["Connection: close"]))) as vendor:
        answered(http.send(request(vendor.url(host="rebinding.example"))))
        assert failed(http.send(request(vendor.url(host="rebinding.example")))).kind is FailureKind.FORBIDDEN_ADDRESS


def test_forbidden_addresses_among_allowed_ones_are_passed_over():
    http = client("127.0.0.1/32", resolve=resolver(both_example=["10.255.255.1", "::1", "127.0.0.1"]))
    with Vendor(always(reply(b"reached"))) as vendor:
        assert answered(http.send(request(vendor.url(host="both.example")))).body == b"reached"


def test_the_next_address_is_tried_when_one_refuses():
    http = client(resolve=resolver(both_example=["127.0.0.9", "127.0.0.1"]))
    with Vendor(always(reply(b"reached"))) as vendor:
        assert answered(http.send(request(vendor.url(host="both.example")))).body == b"reached"


@pytest.mark.parametrize("host", ["nowhere.example", "empty.example"])
def test_an_unknown_name_is_a_dns_failure(host):
    failure = failed(client(resolve=resolver(empty_example=[])).send(request(f"http://{host}/?hush")))
    assert failure.kind is FailureKind.DNS
    assert f"{host}:80" in failure.reason


def test_an_ipv6_literal_is_reached():
    try:
        vendor = Vendor(always(reply(b"six")), host="::1").__enter__()
    except OSError:
        pytest.skip("no IPv6 on this machine")
    with vendor:
        assert answered(client().send(request(vendor.url()))).body == b"six"
        assert vendor.seen[0].headers["host"] == f"[::1]:{vendor.port}"
