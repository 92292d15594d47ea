"""The web UI on one's own machine: whom it answers, and what it hands on."""

import re

import pytest
import requests
from fermata.domain.access import Authorization
from fermata.web.door import create
from fermata_local import server
from fermata_local.cli.conductor import Conductor
from fermata_local.cli.credentials import Credentials
from fermata_local.cli.ui import handing_on
from fermata_local.lambda_events import GatewayAnswer, GatewayRequest
from fermata_local.ui import Front

OWN = {"host": "127.0.0.1:8090", "cookie": "a=b; fermata-ui-8090=s3cret"}


@pytest.fixture
def asked():
    return []


@pytest.fixture
def front(tmp_path, asked):
    (tmp_path / "index.html").write_text("the page")

    def hand_on(*request):
        asked.append(request)
        return GatewayAnswer(
            200, {"Content-Type": "application/json", "ETag": '"1"', "Date": "then", "Set-Cookie": "x=y", "Content-Encoding": "gzip"}, b"{}"
        )

    return Front(create(tmp_path, Authorization.NONE), hand_on, 8090, "s3cret")


def _sent(front, target, method="GET", body=b"", **headers):
    named = {**OWN, **{name.replace("_", "-"): value for name, value in headers.items()}}
    return front(GatewayRequest(method, target, tuple(named.items()), body))


def test_the_printed_address_lets_a_browser_in_and_leaves_no_secret_in_the_address(front):
    target = front.address.removeprefix("http://127.0.0.1:8090")
    answer = _sent(front, target, cookie="")
    assert (answer.status, answer.headers["location"]) == (303, "/ui")
    cookie, *how = answer.headers["set-cookie"].split("; ")
    assert set(how) == {"Path=/", "HttpOnly", "SameSite=Strict"}
    assert _sent(front, "/ui", cookie=cookie).body == b"the page"


def test_a_shared_link_with_the_secret_leads_to_its_page_and_nowhere_else(front):
    assert _sent(front, "/ui/executions/1?key=s3cret").headers["location"] == "/ui/executions/1"
    assert _sent(front, "//evil.example/?key=s3cret").headers["location"] == "/"
    assert _sent(front, "/elsewhere?key=s3cret").headers["location"] == "/ui"


@pytest.mark.parametrize("cookie", ["", "fermata-ui-8090=", "fermata-ui-8090=wrong", "fermata-ui-8091=s3cret"])
@pytest.mark.parametrize("target", ["/ui", "/api/workflow/search", "/ui?key=wrong", "/ui?key="])
def test_a_browser_that_was_not_let_in_gets_nothing(front, asked, cookie, target):
    assert _sent(front, target, cookie=cookie).status == 403
    assert asked == []


@pytest.mark.parametrize("host", ["evil.example:8090", "evil.example", "127.0.0.1", "127.0.0.1:80", "127.0.0.1.evil.example:8090", ""])
@pytest.mark.parametrize("target", ["/ui", "/api/workflow/search", "/ui?key=s3cret"])
def test_a_name_that_was_made_to_point_here_gets_nothing(front, asked, host, target):
    answer = _sent(front, target, host=host)
    assert answer.status == 403
    assert "set-cookie" not in answer.headers
    assert asked == []


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:8091"},
        {"origin": "http://localhost:8090"},
        {"sec_fetch_site": "cross-site"},
        {"sec_fetch_site": "same-site"},
    ],
)
def test_pages_of_other_origins_may_ask_nothing(front, asked, headers):
    assert _sent(front, "/api/tasks/poll/resize", **headers).status == 403
    assert asked == []


def test_what_a_page_asks_is_handed_on_without_its_cookies(front, asked):
    answer = _sent(
        front, "/api/workflow/a%2Fb?x=1&x=%20", "POST", b"{}", content_type="application/json", if_none_match='"0"', x_authorization="mine",
        origin="http://127.0.0.1:8090", sec_fetch_site="same-origin", authorization="Basic x", x_forwarded_for="1.2.3.4",
    )  # fmt: skip
    assert asked == [("POST", "/workflow/a%2Fb?x=1&x=%20", {"content-type": "application/json", "if-none-match": '"0"'}, b"{}")]
    assert (answer.status, answer.body) == (200, b"{}")
    assert answer.headers == {
        "content-type": "application/json",
        "etag": '"1"',
        "date": "then",
        "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
        "x-content-type-options": "nosniff",
    }


@pytest.mark.parametrize("target", ["/docs", "/api", "/payloads/x", "//api/x", "http://elsewhere/api/x"])
def test_nothing_else_is_here(front, asked, target):
    assert _sent(front, target).status == 404
    assert asked == []


class _Aws(requests.adapters.BaseAdapter):
    """Takes requests to a stack, and keeps them."""

    def __init__(self):
        super().__init__()
        self.requests = []

    def send(self, request, **_):
        self.requests.append(request)
        answer = requests.Response()
        answer.status_code, answer._content, answer.request, answer.url = 200, b"[]", request, request.url
        return answer

    def close(self):
        pass


def test_requests_to_a_stack_are_signed_with_the_callers_credentials(monkeypatch):
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIAEXAMPLE")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "s3cret")
    stack = Conductor("https://a1b2c3.execute-api.eu-west-1.amazonaws.com/api")
    aws = _Aws()
    stack._session.mount("https://", aws)
    answer = handing_on(stack)("PUT", "/metadata/workflow?overwrite=true", {"content-type": "application/json"}, b"[]")
    assert (answer.status, answer.body) == (200, b"[]")
    [sent] = aws.requests
    assert sent.url == "https://a1b2c3.execute-api.eu-west-1.amazonaws.com/api/metadata/workflow?overwrite=true"
    assert (sent.body, sent.headers["content-type"]) == (b"[]", "application/json")
    assert re.match(r"AWS4-HMAC-SHA256 Credential=AKIAEXAMPLE/\d+/eu-west-1/execute-api/aws4_request", sent.headers["Authorization"])


def test_a_key_is_exchanged_once_and_its_token_shown_and_a_stale_one_renewed():
    tokens = iter(["t1", "t2"])

    def upstream(request):
        if request.target == "/api/token":
            return GatewayAnswer(200, {"content-type": "application/json"}, f'{{"token": "{next(tokens)}"}}'.encode())
        token = dict(request.headers).get("X-Authorization")
        if (request.target, token) == ("/api/b", "t1"):
            return GatewayAnswer(401, {"content-type": "application/json"}, b'{"error": "EXPIRED_TOKEN"}')
        return GatewayAnswer(200, {"content-type": "text/plain"}, f"{request.target} {token}".encode())

    with server.serving(upstream) as url:
        hand_on = handing_on(Conductor(url, Credentials("id", "s3cret")))
        assert [hand_on("GET", path, {}, b"").body for path in ("/a", "/b", "/a")] == [b"/api/a t1", b"/api/b t2", b"/api/a t2"]


def test_what_the_server_refuses_or_redirects_is_passed_on_as_it_is():
    answers = {"/api/no": GatewayAnswer(409, {}, b'{"message": "no"}'), "/api/there": GatewayAnswer(307, {"location": "/elsewhere"})}
    with server.serving(lambda request: answers[request.target]) as url:
        hand_on = handing_on(Conductor(url))
        assert (hand_on("POST", "/no", {}, b"").status, hand_on("POST", "/no", {}, b"").body) == (409, b'{"message": "no"}')
        there = hand_on("POST", "/there", {}, b"")
        assert (there.status, there.headers["Location"]) == (307, "/elsewhere")


def test_a_server_that_is_not_there_is_a_502_and_a_wrong_key_what_the_server_says():
    with server.serving(lambda _: GatewayAnswer(401, {"content-type": "application/json"}, b'{"message": "Wrong key."}')) as url:
        refused = handing_on(Conductor(url, Credentials("id", "wrong")))("GET", "/a", {}, b"")
    gone = handing_on(Conductor(url))("GET", "/a", {}, b"")
    assert (refused.status, b"Wrong key." in refused.body) == (401, True)
    assert (gone.status, b"No server at" in gone.body) == (502, True)
