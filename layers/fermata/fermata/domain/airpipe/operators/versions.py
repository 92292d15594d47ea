"""Whether a version fits a requirement, as Cargo writes them: `>=1.0.0, <2.0.0`, `^1.2`, `~1.2.3`, `1.*`."""

import re
from typing import Any, TypeAlias

Bounds: TypeAlias = tuple[str, tuple[int, ...], str | None]

_PART = re.compile(
    r"(\^|~|=|>=|<=|>|<)?\s*v?(\d{1,9}|[*xX])(?:\.(\d{1,9}|[*xX]))?(?:\.(\d{1,9}|[*xX]))?(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?"
)
MAX_LENGTH = 200


class NoVersion(ValueError):
    """A text is no version, or no requirement."""


def fits(version: str, requirement: str) -> bool:
    """Tell whether the version meets every part. A pre-release only meets one that names a pre-release of the same version.

    Raises `NoVersion`.
    """
    found = _version(version)
    parts = [_part(text) for text in _parts(requirement)]
    if found.prerelease and not any(given[2] and _full(given[1]) == found.to_tuple()[:3] for given in parts):
        return False
    return all(_meets(found, *given) for given in parts)


def wrong_requirement(requirement: str) -> str | None:
    """Return what is wrong with a requirement, None for a good one."""
    try:
        for text in _parts(requirement):
            _part(text)
    except NoVersion as error:
        return str(error)
    return None


def _version(text: str) -> Any:
    from semver import Version  # with the first comparison

    try:
        return Version.parse(text.removeprefix("v")) if len(text) <= MAX_LENGTH else _none(text)
    except ValueError as error:
        raise NoVersion(f"{text[:40]} is no version") from error


def _none(text: str) -> None:
    raise NoVersion(f"{text[:40]}... is no version")


def _parts(requirement: str) -> list[str]:
    parts = [each.strip() for each in requirement[:MAX_LENGTH].split(",")]
    return [] if parts == ["*"] else parts


def _part(text: str) -> Bounds:
    found = _PART.fullmatch(text)
    numbers = [each for each in (found[2], found[3], found[4]) if each is not None and each.isdigit()] if found else []
    if found is None or (numbers == [] and found[2] is not None and found[1]):
        raise NoVersion(f"'{text[:40]}' is no requirement; write one such as '>=1.0.0, <2.0.0'")
    wild = any(each in ("*", "x", "X") for each in (found[2], found[3], found[4]))
    return found[1] or ("=" if wild else "^"), tuple(map(int, numbers)), found[5]


def _meets(version: Any, sign: str, numbers: tuple[int, ...], pre: str | None) -> bool:
    low = _bound(numbers, pre)
    match sign:
        case ">=":
            return bool(version >= low)
        case ">":
            return bool(version >= _after(numbers) if len(numbers) < 3 else version > low)  # noqa: PLR2004 - major, minor, patch
        case "<":
            return bool(version < low)
        case "<=":
            return bool(version < _after(numbers) if len(numbers) < 3 else version <= low)  # noqa: PLR2004 - major, minor, patch
        case "=" if len(numbers) == 3:  # noqa: PLR2004 - major, minor, patch
            return bool(version == low)
        case "=":
            return bool(version >= low and (not numbers or version < _after(numbers)))
        case "~":
            return bool(version >= low and version < _after(numbers[:2]))
        case _:
            leading = next((index for index, number in enumerate(numbers) if number), len(numbers) - 1)
            return bool(version >= low and version < _after(numbers[: leading + 1]))


def _full(numbers: tuple[int, ...]) -> tuple[int, ...]:
    return (*numbers, 0, 0, 0)[:3]


def _bound(numbers: tuple[int, ...], pre: str | None = None) -> Any:
    from semver import Version  # with the first comparison

    major, minor, patch = _full(numbers)
    return Version(major, minor, patch, pre)


def _after(numbers: tuple[int, ...]) -> Any:
    """Return the first version behind all that begin with these numbers."""
    return _bound((*numbers[:-1], numbers[-1] + 1))
