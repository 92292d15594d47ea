"""URIs, headers, bodies and redirects: values in, values out, no network."""

import gzip
import tomllib
import zlib
from pathlib import Path

import pytest
from fermata.adapters.http import body, headers, redirects, target
from fermata.adapters.http.failures import NoAnswer
from fermata.domain.http_exchange import FailureKind, HttpRequest


@pytest.mark.parametrize(
    ("uri", "url"),
    [
        ("http://a.example", "http://a.example:80/"),
        ("https://a.example?x=1", "https://a.example:443/?x=1"),
        ("HTTPS://A.Example:8443/Path", "https://a.example:8443/Path"),
        ("http://a.example/a b?q=c d", "http://a.example:80/a%20b?q=c%20d"),
        ("http://a.example/a%20b", "http://a.example:80/a%20b"),
        ("http://a.example/a%2fb/%7E", "http://a.example:80/a%2fb/%7E"),
        ("http://a.example/100%/%20", "http://a.example:80/100%25/%20"),
        ("http://a.example/grüße?ö", "http://a.example:80/gr%C3%BC%C3%9Fe?%C3%B6"),
        ("http://a.example/a/../b//c/./d", "http://a.example:80/a/../b//c/./d"),
        ("http://a.example/{id}|x", "http://a.example:80/%7Bid%7D%7Cx"),
        ("http://a.example/p?a=[1]&b=c+d;e", "http://a.example:80/p?a=[1]&b=c+d;e"),
        ("http://a.example/p#part?x", "http://a.example:80/p"),
        ("  http://a.example/p\n", "http://a.example:80/p"),
        ("http://bücher.example/", "http://xn--bcher-kva.example:80/"),
        ("http://[::1]:8080/x", "http://[::1]:8080/x"),
        ("http://user:pa%3Ass@a.example/", "http://a.example:80/"),
        ("http://under_score.example./", "http://under_score.example.:80/"),
        ("http://127.0.0.1/", "http://127.0.0.1:80/"),
        ("http://１２７.0.0.1/", "http://127.0.0.1:80/"),  # noqa: RUF001  # full-width digits
    ],
)
def test_a_uri_is_sent_as_given_where_http_allows(uri, url):
    assert target.parse(uri).url == url


@pytest.mark.parametrize(
    "uri",
    [
        "",
        "a.example/path",
        "//a.example/",
        "ftp://a.example/",
        "file:///etc/passwd",
        "gopher://127.0.0.1:9001/",
        "javascript:alert(1)",
        "http://",
        "http:///path",
        "http://:80/",
        "http://a.example:99999/",
        "http://a.example:0/",
        "http://a.example:x/",
        "http://a b.example/",
        "http://a..example/",
        "http://-a.example/",
        "http://evil.example\\.a.example/",
        "http://[::1/",
        "http://[fe80::1%25eth0]/",
        "http://[v1.x]/",
        "http://a.example/\r\nX-Evil: 1",
        "http://a.example/\x00",
        "http://2130706433/",
        "http://0x7f000001/",
        "http://0x7f.1/",
        "http://0177.0.0.1/",
        "http://017700000001/",
        "http://127.1/",
        "http://127.0.0.1.5/",
        "http://a.example.0x1/",
        "http://" + "a" * 64 + ".example/",
        "http://" + "a." * 200 + "example/",
        "http://\udc80.example/",
        "http://a.example/\ud800",
    ],
)
def test_what_is_no_http_uri_is_refused_without_repeating_it(uri):
    with pytest.raises(NoAnswer) as refused:
        target.parse(uri)
    assert refused.value.kind is FailureKind.BAD_URI
    assert "example/" not in refused.value.reason
    assert "127" not in refused.value.reason


def test_user_info_becomes_basic_authorization_and_stays_out_of_sight():
    where = target.parse("http://user:pa%3Ass@a.example/")
    assert headers.prepared({}, where.user_info)["Authorization"] == "Basic dXNlcjpwYTpzcw=="
    assert headers.prepared({"authorization": "Bearer x"}, where.user_info)["authorization"] == "Bearer x"
    assert "pa" not in repr(where).replace("path", "")


def test_the_user_agent_carries_the_version_of_the_project():
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    assert f"fermata/{project['version']}" == headers.USER_AGENT


def test_framing_headers_are_ours_and_names_are_unique_whatever_their_case():
    sent = headers.prepared({"Content-Length": "999", "transfer-encoding": "chunked", "Accept": "a", "ACCEPT": "b", "Host": "h"}, None)
    assert sent == {"ACCEPT": "b", "Host": "h", "User-Agent": headers.USER_AGENT, "Accept-Encoding": "gzip, deflate"}


@pytest.mark.parametrize(
    ("given", "sent"),
    [("br", "identity"), ("gzip, br;q=0.5, zstd", "gzip"), ("deflate;q=0.5", "deflate;q=0.5"), ("*", "identity"), ("identity", "identity")],
)
def test_only_codings_we_read_are_accepted(given, sent):
    assert headers.prepared({"accept-encoding": given}, None)["Accept-Encoding"] == sent


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("X-A", "a\r\nEvil: 1"),
        ("X-A", "a\nb"),
        ("X-A", "a\x00"),
        ("X-A", "\ud800"),
        ("X A", "b"),
        ("X-A:", "b"),
        ("", "b"),
        ("Ä", "b"),
        ("X\r\n", "b"),
    ],
)
def test_headers_that_would_break_the_request_are_refused_without_repeating_the_value(name, value):
    with pytest.raises(NoAnswer) as refused:
        headers.prepared({name: value}, None)
    assert refused.value.kind is FailureKind.BAD_URI
    assert "Evil" not in refused.value.reason


@pytest.mark.parametrize("method", ["", "GE T", "GET / HTTP/1.1\r\nX: y", "Ü"])
def test_a_method_is_one_word(method):
    with pytest.raises(NoAnswer, match="method"):
        redirects.first(HttpRequest(method, "http://a.example/"))


SECRETS = (
    "Authorization",
    "Cookie",
    "Proxy-Authorization",
    "X-Authorization",
    "X-Api-Key",
    "Api-Key",
    "apikey",
    "X-Auth-Token",
    "X-Amz-Security-Token",
)


@pytest.mark.parametrize(
    ("location", "follows"),
    [
        ("https://a.example/else", True),
        ("https://a.example:443/else", True),
        ("https://A.example./else", True),
        ("/else", True),
        ("else?x", True),
        ("http://a.example/else", False),
        ("https://a.example:444/else", False),
        ("https://b.example/else", False),
        ("https://sub.a.example/else", False),
        ("//b.example/else", False),
        ("https://a.example@b.example/else", False),
    ],
)
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_credentials_follow_only_to_the_same_origin(location, follows, status):
    given = dict.fromkeys(SECRETS, "s") | {"Accept": "text/csv", "Idempotency-Key": "k", "Host": "a.example"}
    hop = redirects.first(HttpRequest("GET", "https://a.example/jobs/1", given))
    after = redirects.following(hop, status, location)
    assert after is not None
    assert {name for name in SECRETS if name in after.headers} == (set(SECRETS) if follows else set())
    assert after.headers["Accept"] == "text/csv"
    assert after.headers["Idempotency-Key"] == "k"
    assert "Host" not in after.headers


@pytest.mark.parametrize(
    ("method", "status", "expected"),
    [
        ("POST", 301, "GET"),
        ("POST", 302, "GET"),
        ("PUT", 303, "GET"),
        ("DELETE", 302, "GET"),
        ("HEAD", 302, "HEAD"),
        ("GET", 303, "GET"),
        ("POST", 307, "POST"),
        ("PUT", 308, "PUT"),
    ],
)
def test_redirects_change_the_method_as_browsers_do(method, status, expected):
    content = b"{}" if method in ("POST", "PUT") else None
    hop = redirects.first(HttpRequest(method, "http://a.example/", {"Content-Type": "application/json"}, content))
    after = redirects.following(hop, status, "/next")
    assert after is not None
    assert after.method == expected
    keeps = expected == method
    assert after.body == (content if keeps else None)
    assert ("Content-Type" in after.headers) == keeps


@pytest.mark.parametrize(("status", "location"), [(200, "/x"), (300, "/x"), (304, "/x"), (302, None), (201, "/x")])
def test_other_answers_are_the_last_ones(status, location):
    assert redirects.following(redirects.first(HttpRequest("GET", "http://a.example/")), status, location) is None


@pytest.mark.parametrize("location", ["file:///etc/passwd", "ftp://a.example/", "http://[", "http://0x7f.1/", "gopher://a"])
def test_a_redirect_to_somewhere_else_than_http_is_refused(location):
    with pytest.raises(NoAnswer) as refused:
        redirects.following(redirects.first(HttpRequest("GET", "http://a.example/")), 302, location)
    assert refused.value.kind is FailureKind.REDIRECTS


def test_a_location_in_utf_8_is_understood():
    after = redirects.following(redirects.first(HttpRequest("GET", "http://a.example/")), 302, "/grüße".encode().decode("latin-1"))
    assert after is not None
    assert after.target.path == "/gr%C3%BC%C3%9Fe"


TEXT = b"one two three " * 500


def gz(data):
    return gzip.compress(data, mtime=0)  # the same in every test process


def bare_deflate(data):
    stream = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return stream.compress(data) + stream.flush()


@pytest.mark.parametrize(
    ("coding", "data"),
    [
        ("", TEXT),
        ("identity", TEXT),
        ("utf-8", TEXT),
        ("gzip", gz(TEXT)),
        ("GZIP", gz(TEXT[:100]) + gz(TEXT[100:])),
        ("x-gzip, identity", gz(TEXT)),
        ("gzip", gz(TEXT) + b"\0" * 512),  # padded to a block, as tapes and some archives are
        ("gzip", b"".join(gz(TEXT[at : at + 5]) for at in range(0, len(TEXT), 5))),
        ("gzip", gz(b"") * (body.MAX_GZIP_MEMBERS - 1) + gz(TEXT)),
        ("deflate", zlib.compress(TEXT)),
        ("deflate", bare_deflate(TEXT)),
    ],
)
def test_bodies_are_decoded(coding, data):
    assert body.decoded(data, coding, "h:80", len(TEXT)) == TEXT


@pytest.mark.parametrize(
    ("coding", "data"),
    [
        ("gzip", b"not gzip at all"),
        ("gzip", gz(TEXT)[:-4]),
        ("gzip", gz(TEXT)[:30]),
        ("gzip", gz(TEXT) + b"garbage"),
        ("gzip", gz(TEXT) + gz(TEXT)[:5]),
        ("gzip", gz(b"") * (body.MAX_GZIP_MEMBERS + 1)),  # seconds of work for nothing
        ("gzip", gz(TEXT)[:-8] + b"\0" * 8),
        ("deflate", zlib.compress(TEXT)[:-5]),
        ("deflate", bare_deflate(TEXT)[:-5]),
        ("deflate", b"\xff\xff\xff"),
        ("br", b"x"),
        ("zstd", b"x"),
        ("gzip, gzip", gz(gz(TEXT))),
    ],
)
def test_bodies_that_cannot_be_decoded_are_unreadable(coding, data):
    with pytest.raises(NoAnswer) as unreadable:
        body.decoded(data, coding, "h:80", 1_000_000)
    assert unreadable.value.kind is FailureKind.UNREADABLE


@pytest.mark.parametrize(
    ("coding", "bomb"),
    [("gzip", gz(b"\0" * 1_000_000)), ("deflate", zlib.compress(b"\0" * 1_000_000)), ("gzip", gz(b"\0" * 900) * 2)],
)
def test_a_decompression_bomb_is_too_large(coding, bomb):
    with pytest.raises(NoAnswer) as large:
        body.decoded(bomb, coding, "h:80", 1000)
    assert large.value.kind is FailureKind.TOO_LARGE
    assert "1000 bytes" in large.value.reason


def test_collecting_stops_at_the_limit():
    taken = []

    def endless():
        while True:
            taken.append(1)
            yield b"x" * 10

    with pytest.raises(NoAnswer, match="larger than 25 bytes"):
        body.collected(endless(), "h:80", 25)
    assert len(taken) == 3


def test_a_body_of_exactly_the_limit_is_fine():
    assert body.collected([b"x" * 10] * 2, "h:80", 20) == b"x" * 20
