"""Which addresses a script of a dry run is for."""

import pytest
from fermata.rehearsal.scripted import matches


@pytest.mark.parametrize(
    ("pattern", "uri", "fits"),
    [
        ("https://v/a", "https://v/a", True),
        ("https://v/a", "https://v/ab", False),
        ("*", "", True),
        ("https://v/*", "https://v/a?x=[1]", True),
        ("https://v/*/b", "https://v/a/b", True),
        ("https://v/*/b", "https://v/b", False),
        ("*v*", "xvx", True),
        ("*aa", "a", False),
        ("a*a", "a", False),
        ("a*a", "aa", True),
        ("*x*y*z", "1x2y3z", True),
        ("*x*y*z", "1y2x3z", False),
        ("a?c", "abc", False),
    ],
)
def test_a_star_stands_for_anything_and_nothing_else_is_special(pattern: str, uri: str, *, fits: bool) -> None:
    assert matches(pattern, uri) is fits
