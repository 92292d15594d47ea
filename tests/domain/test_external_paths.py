"""Only paths of the form that is handed out are ever read."""

import pytest
from fermata.domain.external_paths import is_issued, is_to_be_left, left_path, shown_path

LEFT = left_path(b"\x01" * 16)


def test_what_is_handed_out_is_known_again() -> None:
    assert is_issued(shown_path(b"a"))
    assert not is_to_be_left(shown_path(b"a"))
    assert is_issued(LEFT)
    assert is_to_be_left(LEFT)


@pytest.mark.parametrize(
    "path",
    [
        "",
        "external/",
        "payloads/run/0123456789012345678901234567890123456789",
        f"{LEFT}\n",
        f"/{LEFT}",
        f"{LEFT}/../../payloads/run/x",
        LEFT.upper(),
        LEFT.replace("left", "left/.."),
        LEFT.replace("left/", "left/../shown/"),
        LEFT.replace("/", "%2F"),
        LEFT.replace("left", "shown"),
        LEFT.replace("0", "٠"),  # noqa: RUF001 - a digit to `\\d`, and no hexadecimal one
        LEFT + "x" * 5000,
        "s3://other/" + LEFT,
        "\x00",
    ],
)
def test_nothing_else_is(path: str) -> None:
    assert not is_issued(path)
    assert not is_to_be_left(path)
