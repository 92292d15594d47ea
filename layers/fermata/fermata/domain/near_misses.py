"""Names that are nearly the right one, so that a refusal can say which was meant."""

import difflib
from collections.abc import Collection, Iterable, Mapping
from types import MappingProxyType

MAX_COMPARED_CHARACTERS = 64  # comparing costs the product of the lengths, and no name of ours is longer
CLOSE_ENOUGH = 0.8  # difflib's ratio; `terminalCondition` is 0.86 from `terminationCondition`

_NO_OTHER_NAMES: Mapping[str, str] = MappingProxyType({})


def near_misses(
    keys: Iterable[str], known: Collection[str], other_names: Mapping[str, str] = _NO_OTHER_NAMES
) -> tuple[tuple[str, str], ...]:
    """Return `(key, the known name it is close to)` for each key that isn't known but nearly is, in the order of `keys`.

    Case doesn't count. `other_names` maps what other documents call a thing, in lower case, to our name for it.
    A key that is close to nothing is left out: unknown keys as such are no mistake (Conductor ignores them).
    """
    lowered = {name.lower(): name for name in sorted(known)}
    found = ((key, _meant(key.lower(), lowered, other_names)) for key in keys if key not in known)
    return tuple((key, meant) for key, meant in found if meant is not None)


def _meant(key: str, lowered: Mapping[str, str], other_names: Mapping[str, str]) -> str | None:
    if key in other_names:
        return other_names[key]
    if len(key) > MAX_COMPARED_CHARACTERS:
        return None
    close = difflib.get_close_matches(key, lowered, n=1, cutoff=CLOSE_ENOUGH)
    return lowered[close[0]] if close else None
