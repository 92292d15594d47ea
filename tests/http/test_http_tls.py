"""TLS: the certificate is checked against the name although the connection goes to a checked address."""

import socket
import ssl
from datetime import UTC, datetime, timedelta

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from fermata.domain.http_exchange import FailureKind

from tests.http.vendors import Vendor, always, answered, client, failed, hang, reply, request

NAME = "api.vendor.example"


def certificate(subject, key, issuer=None, issuer_key=None, *, dns=None):
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, subject)])
    builder = x509.CertificateBuilder().subject_name(name).issuer_name(issuer.subject if issuer else name).public_key(key.public_key())
    builder = builder.serial_number(x509.random_serial_number()).not_valid_before(datetime(2020, 1, 1, tzinfo=UTC))
    builder = builder.not_valid_after(datetime(2120, 1, 1, tzinfo=UTC))
    builder = builder.add_extension(x509.BasicConstraints(ca=issuer is None, path_length=None), critical=True)
    signer = issuer_key or key
    builder = builder.add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    builder = builder.add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key()), critical=False)
    if issuer is None:
        usage = dict.fromkeys(
            ("content_commitment", "key_encipherment", "data_encipherment", "key_agreement", "encipher_only", "decipher_only"), False
        )
        builder = builder.add_extension(x509.KeyUsage(digital_signature=True, key_cert_sign=True, crl_sign=True, **usage), critical=True)
    if dns:
        builder = builder.add_extension(x509.SubjectAlternativeName([x509.DNSName(dns)]), critical=False)
    return builder.sign(signer, hashes.SHA256())


@pytest.fixture(scope="module")
def authority(tmp_path_factory):
    """A folder with `ca.pem` and, for NAME, `vendor.pem`."""
    folder = tmp_path_factory.mktemp("tls")
    ca_key, key = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    ca = certificate("Test CA", ca_key)
    vendor = certificate(NAME, key, ca, ca_key, dns=NAME)
    pem = serialization.Encoding.PEM
    (folder / "ca.pem").write_bytes(ca.public_bytes(pem))
    private = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    (folder / "vendor.pem").write_bytes(private + vendor.public_bytes(pem))
    return folder


@pytest.fixture
def names():
    return []


@pytest.fixture
def context(authority, names):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(authority / "vendor.pem")
    context.sni_callback = lambda sock, name, ctx: names.append(name)
    return context


def to_loopback(host, port):
    return ["127.0.0.1"]


def test_name_and_certificate_match_through_a_checked_address(authority, context, names):
    http = client(resolve=to_loopback, ca_bundle=str(authority / "ca.pem"))
    with Vendor(always(reply(b"private")), tls=context) as vendor:
        for _ in range(2):
            assert answered(http.send(request(vendor.url(host=NAME)))).body == b"private"
    assert vendor.seen[0].headers["host"] == f"{NAME}:{vendor.port}"
    assert names == [NAME]
    assert vendor.connections == 1


def test_a_certificate_for_another_name_is_refused(authority, context):
    http = client(resolve=to_loopback, ca_bundle=str(authority / "ca.pem"))
    with Vendor(always(reply()), tls=context) as vendor:
        failure = failed(http.send(request(vendor.url("/?hush", host="evil.example"))))
    assert failure.kind is FailureKind.TLS
    assert failure.reason.startswith(f"The TLS certificate of evil.example:{vendor.port} was not accepted: Hostname mismatch")
    assert "hush" not in failure.reason
    assert vendor.seen == []


def test_a_certificate_for_the_name_does_not_serve_its_address(authority, context):
    http = client(ca_bundle=str(authority / "ca.pem"))
    with Vendor(always(reply()), tls=context) as vendor:
        assert failed(http.send(request(vendor.url()))).kind is FailureKind.TLS


def test_an_unknown_authority_is_refused(context):
    with Vendor(always(reply()), tls=context) as vendor:
        failure = failed(client(resolve=to_loopback).send(request(vendor.url(host=NAME))))
    assert failure.kind is FailureKind.TLS
    assert "unable to get local issuer certificate" in failure.reason


def test_plain_http_on_an_https_address_is_a_tls_failure():
    with Vendor(lambda seen, wire: reply()) as vendor:
        failure = failed(client(resolve=to_loopback).send(request(vendor.url(host=NAME).replace("http:", "https:"), read=500, connect=500)))
    assert failure.kind in (FailureKind.TLS, FailureKind.TIMEOUT, FailureKind.RESET)


def test_a_handshake_that_does_not_come_about_is_a_timeout():
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        failure = failed(client(resolve=to_loopback).send(request(f"https://{NAME}:{port}/", connect=150)))
    assert failure.kind is FailureKind.TIMEOUT
    assert failure.reason == f"No TLS handshake with {NAME}:{port} within the connection timeout of 150 ms."


def test_the_deadline_holds_under_tls(authority, context):
    http = client(resolve=to_loopback, ca_bundle=str(authority / "ca.pem"), transfer_allowance=timedelta(milliseconds=100))

    def script(seen, wire):
        wire.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab")
        hang(seen, wire)

    with Vendor(script, tls=context) as vendor:
        assert failed(http.send(request(vendor.url(host=NAME), read=150))).kind is FailureKind.TIMEOUT
