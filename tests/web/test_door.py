"""What the web door answers, event in, answer out."""

import base64
import gzip
import json
import re

import pytest
from fermata import VERSION
from fermata.domain.access import Authorization
from fermata.web.door import create
from fermata.web.headers import POLICY

SCRIPT = "export const words = 'à la carte';\n" * 100
LASTING = "public, max-age=31536000, immutable"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "index.html").write_text("<!doctype html><title>Fermata</title>")
    (tmp_path / "app-7XQ2ZLPA.js").write_text(SCRIPT)
    (tmp_path / "app-7XQ2ZLPA.css").write_text("p { color: red }")
    (tmp_path / "logo-AAAAAAAA.png").write_bytes(b"\x89PNG\xff")
    (tmp_path / "licenses.txt").write_text("MIT")
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "secret-AAAAAAAA.js").write_text("no")
    return tmp_path


@pytest.fixture
def get(folder):
    door = create(folder, Authorization.KEYS)

    def ask(path, method="GET", stage="$default", **headers):
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return door({"rawPath": path, "headers": named, "requestContext": {"http": {"method": method}, "stage": stage}}, None)

    return ask


def _bytes(answer):
    return base64.b64decode(answer["body"]) if answer["isBase64Encoded"] else answer["body"].encode()


@pytest.mark.parametrize("path", ["/", "/ui", "/ui/", "/ui/executions/1?x", "/ui/assets", "/ui/../etc/passwd", "/ui/<script>"])
def test_every_page_is_the_same_one_and_is_asked_for_anew(get, path):
    answer = get(path)
    assert (answer["statusCode"], answer["body"]) == (200, "<!doctype html><title>Fermata</title>")
    assert answer["headers"]["Content-Type"] == "text/html;charset=UTF-8"
    assert answer["headers"]["Cache-Control"] == "no-cache"


@pytest.mark.parametrize(
    ("name", "media_type", "cached"),
    [
        ("app-7XQ2ZLPA.js", "text/javascript;charset=UTF-8", LASTING),
        ("app-7XQ2ZLPA.css", "text/css;charset=UTF-8", LASTING),
        ("logo-AAAAAAAA.png", "image/png", LASTING),
        ("licenses.txt", "text/plain;charset=UTF-8", "no-cache"),
        ("index.html", "text/html;charset=UTF-8", "no-cache"),
    ],
)
def test_a_file_is_kept_for_good_when_its_name_changes_with_its_content(get, folder, name, media_type, cached):
    answer = get(f"/ui/assets/{name}")
    assert answer["statusCode"] == 200
    assert _bytes(answer) == (folder / name).read_bytes()
    assert (answer["headers"]["Content-Type"], answer["headers"]["Cache-Control"]) == (media_type, cached)


@pytest.mark.parametrize(
    "name",
    ["none.js", "", "inner/secret-AAAAAAAA.js", "inner", "../index.html", "/etc/passwd", "../../web/app.py", ".", "app-7XQ2ZLPA.js/"],
)
def test_what_the_folder_does_not_list_is_not_there(get, name):
    answer = get(f"/ui/assets/{name}")
    assert (answer["statusCode"], answer["headers"]["Cache-Control"]) == (404, "no-store")


@pytest.mark.parametrize("path", ["/api/workflow", "/uix", "/health"])
def test_other_paths_are_not_this_doors(get, path):
    assert get(path)["statusCode"] == 404


@pytest.mark.parametrize(
    ("path", "stage", "status"),
    [
        ("/prod/ui/executions", "prod", 200),
        ("/prod/", "prod", 200),
        ("/prod/ui/assets/none.js", "prod", 404),
        ("/ui/executions", "ui", 200),
        ("/ui/assets/none.js", "ui", 404),
        ("/ui/ui/assets/app-7XQ2ZLPA.js", "ui", 200),
        ("/prod/ui", "$default", 404),
    ],
)
def test_a_stage_in_front_of_the_path_is_passed_over(get, path, stage, status):
    assert get(path, stage=stage)["statusCode"] == status


@pytest.mark.parametrize("held", ["{tag}", '"{bare}"', 'W/"x", {tag}', "*"])
def test_what_a_browser_holds_is_not_sent_again(get, held):
    first = get("/ui")
    tag = first["headers"]["ETag"]
    answer = get("/ui", if_none_match=held.format(tag=tag, bare=tag[3:-1]))
    assert (answer["statusCode"], answer["body"]) == (304, "")
    assert answer["headers"]["ETag"] == tag
    assert answer["headers"]["Content-Security-Policy"] == POLICY
    assert "Content-Type" not in answer["headers"]


def test_what_has_changed_is_sent(get):
    assert get("/ui", if_none_match=get("/ui/server.json")["headers"]["ETag"])["statusCode"] == 200


@pytest.mark.parametrize("accepted", ["gzip", "br, GZIP;q=0.5", "deflate,gzip ; q=1"])
def test_text_is_compressed_for_who_takes_it(get, accepted):
    answer = get("/ui/assets/app-7XQ2ZLPA.js", accept_encoding=accepted)
    assert (answer["headers"]["Content-Encoding"], answer["isBase64Encoded"]) == ("gzip", True)
    assert answer["headers"]["Vary"] == "Accept-Encoding"
    assert gzip.decompress(_bytes(answer)).decode() == SCRIPT
    assert answer["headers"]["ETag"] == get("/ui/assets/app-7XQ2ZLPA.js")["headers"]["ETag"]


@pytest.mark.parametrize("accepted", ["", "br", "gzip;q=0", "gzip; q=0.000", "xgzip"])
def test_and_for_nobody_else(get, accepted):
    answer = get("/ui/assets/app-7XQ2ZLPA.js", accept_encoding=accepted)
    assert "Content-Encoding" not in answer["headers"]
    assert (answer["body"], answer["isBase64Encoded"]) == (SCRIPT, False)


def test_images_and_short_texts_stay_as_they_are(get):
    for name in ("logo-AAAAAAAA.png", "licenses.txt"):
        assert "Content-Encoding" not in get(f"/ui/assets/{name}", accept_encoding="gzip")["headers"]


def test_a_head_is_a_get_without_the_body(get):
    for path in ("/", "/ui/assets/app-7XQ2ZLPA.js", "/ui/assets/none.js"):
        asked, head = get(path), get(path, "HEAD")
        assert (head["statusCode"], head["headers"], head["body"]) == (asked["statusCode"], asked["headers"], "")


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
def test_pages_are_only_looked_at(get, method):
    answer = get("/ui/assets/app-7XQ2ZLPA.js", method)
    assert (answer["statusCode"], answer["headers"]["Allow"]) == (405, "GET, HEAD")


@pytest.mark.parametrize("mode", list(Authorization))
def test_the_pages_are_told_what_stands_in_front_of_the_api(folder, mode):
    event = {"rawPath": "/ui/server.json", "headers": {}, "requestContext": {"http": {"method": "GET"}, "stage": "$default"}}
    answer = create(folder, mode)(event, None)
    assert json.loads(answer["body"]) == {"authorization": mode.value, "version": VERSION}
    assert (answer["headers"]["Content-Type"], answer["headers"]["Cache-Control"]) == ("application/json", "no-cache")


@pytest.mark.parametrize(
    ("path", "method"), [("/ui", "GET"), ("/ui/assets/app-7XQ2ZLPA.js", "GET"), ("/ui/assets/x", "GET"), ("/ui", "PUT")]
)
def test_every_answer_says_what_a_browser_is_to_refuse(get, path, method):
    told = get(path, method)["headers"]
    assert told["Content-Security-Policy"] == (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"
    )
    assert told["X-Content-Type-Options"] == "nosniff"
    assert told["Referrer-Policy"] == "no-referrer"
    assert told["Cross-Origin-Opener-Policy"] == "same-origin"
    assert re.fullmatch(r"(\w+=\(\)(, |$))+", told["Permissions-Policy"])
    assert "Strict-Transport-Security" not in told


def test_who_came_by_tls_is_to_come_by_tls_again(get):
    assert get("/ui", x_forwarded_proto="https")["headers"]["Strict-Transport-Security"] == "max-age=31536000"


def test_without_a_built_ui_the_answer_says_so(tmp_path):
    door = create(tmp_path / "none", Authorization.NONE)
    answer = door({"rawPath": "/", "requestContext": {"http": {"method": "GET"}}}, None)
    assert (answer["statusCode"], answer["body"]) == (404, "This server has no web UI.")
