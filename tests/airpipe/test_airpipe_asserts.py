"""Every operator, and how a block of tests speaks."""

import base64
import hmac
from dataclasses import replace

import bcrypt
import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from fermata.domain.airpipe.assert_reading import read_assert
from fermata.domain.airpipe.asserting import failures
from fermata.domain.airpipe.noting import Notes
from fermata.domain.airpipe.operators import OPERATORS, UNSUPPORTED_OPERATORS
from fermata.domain.airpipe.operators.versions import fits

from tests.support.airpipe import NOW, config, refusals, sight

SECRET = "a-secret-of-thirty-two-letters-or-more"
HASH = bcrypt.hashpw(b"open sesame", b"$2b$04$" + b"abcdefghijklmnopqrstuu").decode()  # the same in every process: it names tests
KEY = Ed25519PrivateKey.from_private_bytes(bytes(32))
RAW = KEY.public_key().public_bytes_raw().hex()
PEM = KEY.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()
BASE64 = base64.b64encode(hmac.new(b"k", b"text", "sha256").digest()).decode()


def _token(**claims):
    given = {"iss": "us", "aud": "them", "exp": NOW.timestamp() + 60, **claims}
    return jwt.encode({name: value for name, value in given.items() if value is not None}, SECRET, "HS256")


TOKEN = _token()
UUID = "0b6b0f3e-43a4-4c5e-8d0f-1c2d3e4f5a6b"

# operator, value, what the test says, whether it holds
CASES = [
    ("is_equal_to", "completed", "completed", True),
    ("is_equal_to", "Completed", "completed", False),
    ("is_equal_to", 1, True, False),
    ("is_equal_to", "1", 1, False),
    ("is_equal_to", 1.0, 1, True),
    ("is_equal_to", {"a": [1]}, {"a": [1]}, True),
    ("is_equal_to", {"a": [1]}, {"a": [True]}, False),
    ("is_equal_to", None, None, True),
    ("is_not_equal_to", "a", "b", True),
    ("is_not_equal_to", "a", "a", False),
    ("is_less_than", 2, 3, True),
    ("is_less_than", 3, 3, False),
    ("is_less_than", "abc", 4, True),  # texts and lists by their length
    ("is_less_than", [1, 2], 2, False),
    ("is_less_than", None, 2, False),
    ("is_less_than_or_equal_to", 3, 3, True),
    ("is_less_than_or_equal_to", 4, 3, False),
    ("is_greater_than", 4, 3, True),
    ("is_greater_than", True, 0, False),
    ("is_greater_than", "ab", "a", True),
    ("is_greater_than_or_equal_to", 3, 3, True),
    ("is_greater_than_or_equal_to", 2, 3, False),
    ("starts_with", "abc", "ab", True),
    ("starts_with", "abc", "b", False),
    ("starts_with", 12, "1", False),
    ("not_starts_with", "abc", "b", True),
    ("not_starts_with", "abc", "a", False),
    ("ends_with", "abc", "bc", True),
    ("ends_with", "abc", "b", False),
    ("not_ends_with", "abc", "b", True),
    ("not_ends_with", "abc", "c", False),
    ("contains", "abc", "b", True),
    ("contains", "abc", "x", False),
    ("contains", [1, "a"], "a", True),
    ("contains", [1, "a"], ["a", 1], True),
    ("contains", [1, "a"], ["a", 2], True),  # one of a list is enough
    ("contains", [1, "a"], ["b", 2], False),
    ("contains", 3650, 65, True),  # a number by its text
    ("contains", [1, "a"], {"values": ["a", 2], "at_least": 1}, True),
    ("contains", [1, "a"], {"values": ["b", 2], "at_least": 1}, False),
    ("contains", ["a", "b"], {"allowed": ["a", "b", "c"]}, True),
    ("contains", ["a", "z"], {"allowed": ["a", "b", "c"]}, False),
    ("contains", ["a", "z"], {"disallowed": ["z"]}, False),
    ("contains", "a", {"allowed": ["a", "b"]}, True),  # a text as a whole
    ("contains", "ab", {"allowed": ["a", "b"]}, False),
    ("contains", "z", {"disallowed": ["z"]}, False),
    ("contains", {"k": 1}, "k", True),
    ("contains", {"k": "v"}, "v", False),  # an object by its keys
    ("contains", None, "k", False),
    ("contains_value", {"k": "v"}, "v", True),
    ("contains_value", {"k": "v"}, "w", False),
    ("not_contains", "abc", "x", True),
    ("not_contains", "abc", ["x", "b"], False),
    ("not_contains", [1, 2], {"values": [1, 3], "at_least": 2}, True),
    ("not_contains", [1, 3], {"values": [1, 3], "at_least": 2}, False),
    ("not_contains", ["z"], {"allowed": ["z"]}, True),  # these lists are not turned round
    ("not_contains_value", {"k": "v"}, "v", False),
    ("not_contains_value", [1], 2, True),
    ("not_contains_value", [1], 1, False),
    ("contains_text", "ab1", True, True),
    ("contains_text", "12", True, False),
    ("contains_text", "hello world", "wor", True),
    ("contains_text", "hello", "wor", False),
    ("contains_number", "a1", True, True),
    ("contains_number", "a1", 2, False),
    ("contains_upper", "aB", True, True),
    ("contains_upper", "ab", True, False),
    ("contains_lower", "aB", 1, True),
    ("contains_lower", "AB", 1, False),
    ("contains_special", "a!", True, True),
    ("contains_special", "a b", True, False),
    ("contains_special", None, True, False),
    ("like", "report-7.csv", "report-%.csv", True),
    ("like", "report-7.csv", "%.txt", False),
    ("like", "ab", "ab%ab", False),
    ("like", "Report", "rep%", False),
    ("ilike", "Report", "rep%", True),
    ("ilike", "Report", "%z%", False),
    ("not_like", "Report", "rep%", True),
    ("not_like", "report", "rep%", False),
    ("not_ilike", "Report", "%z%", True),
    ("not_ilike", "Report", "rep%", False),
    ("not_regex", "job-x", "^job-[0-9]+$", True),
    ("not_regex", "job-7", "^job-[0-9]+$", False),
    ("regex", "b", "^(a|b)$", True),  # no marker
    ("regex", "c", "^(a|b|[ad]|e)$", False),
    ("regex", "job-71", "^job-[0-9]+$", True),
    ("regex", "job-x", "^job-[0-9]+$", False),
    ("regex", 5, "5", False),
    ("is_null", None, True, True),
    ("is_null", 1, True, False),
    ("is_null", None, False, False),  # false does require a value
    ("is_null", 1, False, True),
    ("is_not_null", 1, True, True),
    ("is_not_null", None, True, False),
    ("is_not_null", None, False, True),  # false is "optional"
    ("is_not_empty", "a", True, True),
    ("is_not_empty", "", True, False),
    ("is_not_empty", [], True, False),
    ("is_not_empty", None, True, False),
    ("is_not_empty", 0, True, True),
    ("is_uuid", UUID, True, True),
    ("is_uuid", UUID.replace("-", ""), True, False),
    ("is_uuid", 5, True, False),
    ("is_array", [], True, True),
    ("is_array", {}, True, False),
    ("is_object", {}, True, True),
    ("is_object", [], True, False),
    ("is_string", "", True, True),
    ("is_string", 1, True, False),
    ("is_number", 1.5, True, True),
    ("is_number", True, True, False),
    ("is_number", "1", True, False),
    ("is_boolean", False, True, True),
    ("is_boolean", 0, True, False),
    ("is_empty", {}, True, True),
    ("is_empty", 0, True, False),
    ("is_ip", "2001:db8::1", True, True),
    ("is_ip", "10.0.0", True, False),
    ("is_url", "https://x.test/a?b", True, True),
    ("is_url", "//x.test", True, False),
    ("is_url", "http://[x", True, False),
    ("is_in", 200, [200, 201], True),
    ("is_in", "200", [200, 201], False),
    ("is_in", {"a": 1}, [{"a": 1}], True),
    ("not_in", "user", ["banned"], True),
    ("not_in", "banned", ["banned"], False),
    ("is_between", 18, {"min": 18, "max": 20}, True),
    ("is_between", 21, {"min": 18, "max": 20}, False),
    ("is_between", [1, 2], {"min": 1, "max": 2}, True),
    ("is_between", None, {"min": 0, "max": 2}, False),
    ("size_limit", "abc", 3, True),
    ("size_limit", {"a": "é"}, 9, False),
    ("size_limit", "x" * 1000, "1 KB", True),
    ("size_limit", "x" * 1025, "1 KiB", False),
    ("semver_matches", "1.4.2", ">=1.0.0, <2.0.0", True),
    ("semver_matches", "2.0.0", ">=1.0.0, <2.0.0", False),
    ("semver_matches", "no version", "*", False),
    ("is_authorization", "Bearer abc", True, True),
    ("is_authorization", "Basic dTpw", True, True),
    ("is_authorization", "Basic !!", True, False),
    ("is_authorization", "Basic dQ==", True, False),  # no colon in it
    ("is_authorization", "Bearer ", True, False),
    ("is_authorization", None, True, False),
    ("verify_bcrypt", "open sesame", HASH, True),
    ("verify_bcrypt", "open", HASH, False),
    ("verify_bcrypt", None, HASH, False),
    ("bcrypt_verify", "open sesame", HASH, True),
    ("bcrypt_verify", "x", HASH, False),
    (
        "is_valid_hmac",
        "sha256=" + hmac.new(b"k", b"text", "sha256").hexdigest(),
        {"secret": "k", "body": "text", "prefix": "sha256="},
        True,
    ),
    ("is_valid_hmac", hmac.new(b"k", b"text", "sha256").hexdigest(), {"secret": "k", "body": "text", "prefix": "sha256="}, False),
    ("is_valid_hmac", hmac.new(b"k", b"other", "sha256").hexdigest(), {"secret": "k", "body": "text"}, False),
    ("is_valid_hmac", hmac.new(b"k", b"text", "sha1").hexdigest(), {"secret": "k", "body": "text", "algorithm": "sha1"}, True),
    ("is_valid_hmac", BASE64, {"secret": "k", "body": "text", "encoding": "base64"}, True),
    ("is_valid_hmac", "no hex", {"secret": "k", "body": "text"}, False),
    ("is_valid_jwt", TOKEN, SECRET, True),
    ("is_valid_jwt", TOKEN, {"secret": SECRET, "iss": "us", "aud": "them"}, True),
    ("is_valid_jwt", TOKEN, {"secret": SECRET, "iss": "others"}, False),
    ("is_valid_jwt", TOKEN, {"secret": SECRET, "aud": "others"}, False),
    ("is_valid_jwt", TOKEN, {"secret": SECRET, "alg": "HS512"}, False),
    ("is_valid_jwt", TOKEN, "another-secret-of-32-letters-or-more", False),
    ("is_valid_jwt", _token(exp=NOW.timestamp()), SECRET, False),  # over
    ("is_valid_jwt", _token(nbf=NOW.timestamp() + 1), SECRET, False),  # not yet
    ("is_valid_jwt", _token(exp=None), SECRET, False),  # without an end
    ("is_valid_jwt", jwt.encode({"exp": 10**10}, None, "none"), SECRET, False),
    ("is_valid_jwt", "no.token.at-all", SECRET, False),
    ("is_valid_jwt", jwt.encode({"exp": 10**10}, KEY, "EdDSA"), {"public_key": PEM, "alg": "EdDSA"}, True),
    ("is_valid_jwt", jwt.encode({"exp": 10**10}, PEM.replace("-", "_"), "HS256"), {"public_key": PEM, "alg": "EdDSA"}, False),
    ("verify_signature", "text", {"public_key": RAW, "signature": KEY.sign(b"text").hex()}, True),
    ("verify_signature", "other", {"public_key": RAW, "signature": KEY.sign(b"text").hex()}, False),
    ("verify_signature", "text", {"public_key": "zz", "signature": "00"}, False),
    ("verify_schema", {"a": "x", "n": {"b": 1}}, {"structure": {"a": {"data_type": "String"}, "n": {"b": {"type": "number"}}}}, True),
    ("verify_schema", {"a": 1}, {"structure": {"a": {"data_type": "String"}}}, False),
    ("verify_schema", {}, {"structure": {"a": {"data_type": "String"}}}, False),
    ("verify_schema", {}, {"structure": {"a": {"data_type": "Any"}}}, True),
    ("verify_schema", {"a": 1}, {"structure": {}, "disallow_unknown_keys": True}, False),
    ("verify_schema", [{"a": 1}], {"structure": [{"a": {"data_type": "Number", "validate": {"is_greater_than": 0}}}]}, True),
    ("verify_schema", [{"a": 0}], {"structure": [{"a": {"data_type": "Number", "validate": {"is_greater_than": 0}}}]}, False),
    ("verify_schema", {"a": "a"}, {"structure": {"a": {"data_type": "String", "validate": {"regex": "^(a|b)$"}}}}, True),
    ("verify_schema", 5, {"structure": {"a": {"data_type": "Any"}}}, False),
    ("compare_value", {"a": 1, "t": 5}, {"target": '{"a": 1, "t": 9}', "data_type": "json", "ignore_fields": ["t"]}, True),
    ("compare_value", '{"a": 1}', {"target": '{"a":1}', "data_type": "json"}, True),
    ("compare_value", '{"a": 1}', {"target": '{"a":1}', "data_type": "string"}, False),
    ("compare_value", {"a": 2}, {"target": '{"a":1}'}, False),
    ("compare_value", "x", {"target": "x"}, True),
    ("expression", None, "1 < 2 && !(3 > 4)", True),
    ("expression", None, '"a" == "b"', False),
    ("expression", None, "1", False),  # no truth
    ("expression", None, "1 +", False),
]


def _block(*tests, **fields):
    notes = Notes()
    read = read_assert(notes, {"tests": list(tests), **fields}, "assert")
    assert notes.violations == []
    return read


@pytest.mark.parametrize(("operator", "value", "expected", "holds"), CASES)
def test_an_operator(operator, value, expected, holds):
    assert bool(failures(_block({"value": "x", operator: expected}), {"x": value}, sight())) is not holds


def test_every_operator_is_in_the_table_holding_and_not():
    assert (
        {operator for operator, _, _, holds in CASES if holds}
        == {operator for operator, _, _, holds in CASES if not holds}
        == set(OPERATORS)
    )


@pytest.mark.parametrize(
    ("value", "data_type", "operator", "expected", "holds"),
    [
        ("3650", "Number", "is_less_than", 365, False),
        ("3650", "String", "is_less_than", 365, True),
        ("3650", None, "is_less_than", 365, True),  # by its length
        (" 12 ", "number", "is_between", {"min": 12, "max": 12}, True),
        ("twelve", "Number", "is_greater_than", 0, False),
        ({"a": 1}, "Object", "is_equal_to", {"a": 1}, True),
        ([1], "Array", "is_greater_than_or_equal_to", 1, True),
    ],
)
def test_a_data_type_says_what_a_text_is(value, data_type, operator, expected, holds):
    given = {"value": "x", operator: expected, **({"data_type": data_type} if data_type else {})}
    assert bool(failures(_block(given), {"x": value}, sight())) is not holds


@pytest.mark.parametrize(
    ("requirement", "fitting", "others"),
    [
        ("*", ["0.0.1", "9.9.9"], ["1.0.0-rc.1"]),
        ("1.2.3", ["1.2.3", "1.9.0"], ["1.2.2", "2.0.0"]),  # Cargo's: as ^1.2.3
        ("^0.2.3", ["0.2.3", "0.2.9"], ["0.3.0", "0.2.2"]),
        ("^0.0.3", ["0.0.3"], ["0.0.4"]),
        ("^0", ["0.9.9"], ["1.0.0"]),
        ("~1.2.3", ["1.2.9"], ["1.3.0"]),
        ("~1", ["1.9.9"], ["2.0.0"]),
        ("=1.2", ["1.2.7"], ["1.3.0"]),
        ("1.*", ["1.9.9"], ["2.0.0"]),
        (">1.2", ["1.3.0"], ["1.2.9"]),
        ("<=1.2", ["1.2.9"], ["1.3.0"]),
        (">=1.0.0-beta", ["1.0.0-beta", "1.0.0", "v1.0.1"], ["1.0.0-alpha", "1.0.1-alpha"]),
        (">=1.0.0, <2.0.0", ["1.5.0"], ["2.0.0", "0.9.0"]),
    ],
)
def test_versions(requirement, fitting, others):
    assert [fits(version, requirement) for version in (*fitting, *others)] == [True] * len(fitting) + [False] * len(others)


@pytest.mark.parametrize(
    ("operator", "expected", "says"),
    [
        ("is_valid_jwt", "", "must not be empty"),
        ("is_valid_jwt", {"jwks_url": "https://x.test"}, "a test fetches nothing"),
        ("is_valid_jwt", {"public_key": "x"}, "alg must be one of"),
        ("is_valid_jwt", {"public_key": "x", "alg": "HS256"}, "alg must be one of"),  # no key passes for a secret
        ("is_valid_jwt", {"secret": "x", "alg": "none"}, "alg must be one of"),
        ("is_valid_jwt", {"secret": "x", "public_key": "y"}, "takes secret or public_key"),
        ("is_valid_hmac", {"secret": "", "body": "x"}, "secret must not be empty"),
        ("is_valid_hmac", {"secret": "k"}, "takes secret and body"),
        ("is_valid_hmac", {"secret": "k", "body": "b", "algorithm": "md5"}, "algorithm must be one of"),
        ("is_valid_hmac", {"secret": "k", "body": "b", "encoding": "octal"}, "encoding must be"),
        ("verify_bcrypt", "plain", "none that bcrypt made"),
        ("verify_bcrypt", "$2b$31$" + "x" * 53, "takes too long"),
        ("verify_signature", {"public_key": "x"}, "takes public_key and signature"),
        ("verify_schema", {"structure": {"a": {"data_type": "Date"}}}, "is no type"),
        ("verify_schema", {"structure": {"a": {"data_type": "Any", "validate": {"is_nice": True}}}}, "is no operator"),
        ("verify_schema", {"structure": {"a": {"data_type": "Any", "validate": {"is_uuid": False}}}}, "must be true"),
        ("verify_schema", {"structure": 5}, "must be a field"),
        ("compare_value", {"file_path": "/etc/passwd"}, "nothing of the machine is read"),
        ("compare_value", {"target": "<a/>", "data_type": "xml"}, "is written nowhere"),
        ("semver_matches", ">=one", "is no requirement"),
        ("semver_matches", "1.2.3.4", "is no requirement"),
        ("expression", "process.exit()", "cannot hold"),
        ("expression", "a|params::x| == 'y'", "cannot hold"),
        ("expression", '/"/.test(1)', "cannot hold"),
        ("expression", "", "cannot hold"),
        ("is_between", {"min": 1}, "takes min and max"),
        ("contains", {"values": ["a"], "at_least": 0}, "at_least must be"),
        ("contains", {"wanted": ["a"]}, "takes a value"),
        ("is_in", "a", "must be a list"),
        ("size_limit", "big", "must be a number of bytes"),
    ],
)
def test_what_an_operator_cannot_be_told(operator, expected, says):
    action = {"name": "A", "json_output": {}, "assert": {"tests": [{"value": "x", operator: expected}]}}
    assert any(f"tests[0].{operator}: " in said and says in said for said in refusals(config(action)))


@pytest.mark.parametrize(
    ("hostile", "holds"),
    [
        ("5", True),
        ("1", False),
        ("1 || true", False),
        ('"', False),
        ('x" == "x', False),
        ("process", False),
        ({"a": 1}, False),
        (None, False),
    ],
)
def test_no_value_adds_to_an_expression(hostile, holds):
    block = _block({"expression": "a|params::count| > 2"})
    assert bool(failures(block, None, sight(params={"count": hostile}))) is not holds


@pytest.mark.parametrize("hostile", ['x" == "x', "\\", '"', "admin"])
def test_no_value_leaves_the_quotes_of_an_expression(hostile):
    assert failures(_block({"expression": '"a|params::role|" == "owner"'}), None, sight(params={"role": hostile}))
    assert not failures(_block({"expression": '"a|params::role|" == "owner"'}), None, sight(params={"role": "owner"}))


def test_a_marker_in_a_pattern_needs_a_path():
    seen = sight(params={"id": "7"})
    assert not failures(_block({"value": "x", "regex": "^(a|job)-a|params::id|$"}), {"x": "job-7"}, seen)
    assert not failures(_block({"value": "x", "like": "a|b%"}), {"x": "a|bc"}, seen)


def test_what_a_marker_makes_of_an_argument_is_looked_at_too():
    dear = "$2b$31$" + "x" * 53
    found = failures(_block({"value": "x", "verify_bcrypt": "a|body::hash|"}), {"x": "p"}, sight(body={"hash": dear}))
    assert "takes too long" in found.texts[0]
    found = failures(
        _block({"value": "x", "is_valid_hmac": {"secret": "a|body::none|", "body": "b"}}), {"x": "00"}, sight(body={"none": ""})
    )
    assert "secret must not be empty" in found.texts[0]


@pytest.mark.parametrize("operator", sorted(UNSUPPORTED_OPERATORS))
def test_an_operator_nobody_has_explained_is_refused_by_name(operator):
    action = {"name": "A", "json_output": {}, "assert": {"tests": [{"value": "x", operator: "y"}]}}
    assert any(f"tests[0].{operator}: is not supported" in said for said in refusals(config(action)))


def test_case_may_be_left_out_of_account():
    test = {"value": "x", "is_equal_to": "DONE", "case_insensitive": True}
    assert not failures(_block(test), {"x": "done"}, sight())


@pytest.mark.parametrize(
    ("test", "says"),
    [
        ({"value": "body.id", "is_not_null": True}, "body.id::is_not_null: expected to not be null"),
        ({"value": "body.status", "is_equal_to": "completed"}, "body.status::is_equal_to: expected completed, got processing"),
        ({"value": "body.status", "is_equal_to": "a|Other::want|"}, "body.status::is_equal_to: expected done, got processing"),
        ({"value": "body.status", "is_equal_to": "x", "error_message": "not yet"}, "body.status::is_equal_to: not yet"),
        ({"value": "body.list.count()", "is_greater_than": 2}, "body.list.count()::is_greater_than: expected more than 2, got 2"),
        ({"jq": ".body.list[1]", "is_equal_to": 1}, ".body.list[1]::is_equal_to: expected 1, got 2"),
        ({"pointer": "/body/a~1b", "is_equal_to": 1}, "/body/a~1b::is_equal_to: expected 1, got 3"),
        ({"pointer": "/body/list/9", "is_not_null": True}, "/body/list/9::is_not_null: expected to not be null"),
        ({"action": "Other", "value": "want", "is_equal_to": "x"}, "want::is_equal_to: expected x, got done"),
        ({"custom_value": "a|Other::want|", "is_equal_to": "x"}, "value::is_equal_to: expected x, got done"),
        ({"value": "body.status", "is_equal_to": "a|Other::nothing|"}, "body.status: cannot resolve a|Other::nothing|"),
    ],
)
def test_a_failure_says_where_and_what(test, says):
    data = {"body": {"status": "processing", "list": [1, 2], "a/b": 3}}
    assert failures(_block(test), data, sight(results={"Other": {"want": "done"}})).texts == (says,)


def test_all_tests_run_and_the_first_code_counts():
    block = _block(
        {"value": "a", "is_equal_to": 1},
        {"value": "b", "is_equal_to": 1, "http_code_on_error": 409},
        {"value": "c", "is_equal_to": 1, "http_code_on_error": 410, "hide_errors": True},
        {"value": "d", "is_null": True},
        http_code_on_error=500,
    )
    found = failures(block, {}, sight())
    assert (len(found.texts), found.count, found.code) == (2, 3, 409)
    assert not failures(replace(block, tests=block.tests[3:]), {}, sight())


def test_a_pattern_that_takes_years_is_stopped_and_fails():
    found = failures(_block({"value": "x", "regex": "^(b|bb)+$"}), {"x": "b" * 60 + "a"}, sight())
    assert found
