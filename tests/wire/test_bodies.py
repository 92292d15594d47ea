"""Bodies are exact JSON or a clear refusal."""

import pytest
from fermata.domain.errors import InvalidRequest
from fermata.wire.bodies import MAX_BODY_LEVELS, parse, text


def test_whole_numbers_of_any_size_stay_exact() -> None:
    big = 10**400 + 7
    assert parse(str(big)) == big
    assert text({"a": 2**63, "b": 0.1}) == '{"a":9223372036854775808,"b":0.1}'


def test_bytes_may_start_with_a_byte_order_mark() -> None:
    assert parse(b'\xef\xbb\xbf{"a":"\xc3\xbc"}') == {"a": "ü"}


def test_the_last_of_equal_keys_counts() -> None:
    assert parse('{"a":1,"a":2}') == {"a": 2}


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("", "not valid JSON"),
        ("{", "not valid JSON"),
        ("{'a':1}", "line 1, column 2"),
        ("[1,]", "not valid JSON"),
        ("{} {}", "Extra data"),
        ("NaN", "NaN is not a JSON number"),
        ("[-Infinity]", "-Infinity is not a JSON number"),
        ("1e999", "too large"),
        ("9" * 5000, "too many digits"),
        (b"\xff", "not UTF-8"),
        ("[" * 200_000, "nested too deeply"),
        ('{"a":' * 200_000, "nested too deeply"),
        ("[" * (MAX_BODY_LEVELS + 1) + "]" * (MAX_BODY_LEVELS + 1), "nested too deeply"),
    ],
)
def test_anything_else_is_refused_and_says_why(content: str | bytes, says: str) -> None:
    with pytest.raises(InvalidRequest, match=says):
        parse(content)


def test_the_deepest_allowed_body_is_read() -> None:
    assert parse("[" * MAX_BODY_LEVELS + "]" * MAX_BODY_LEVELS)
    assert len(parse("[" + ",".join(["[]"] * 500) + "]")) == 500
