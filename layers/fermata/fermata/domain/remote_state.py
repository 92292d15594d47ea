"""What a vendor's answer says the state of its job is: one short word, found by the names that APIs give it."""

from collections.abc import Iterator, Mapping

from fermata.domain.json_value import Json, JsonObject

LONGEST_BYTES = 24  # it stands in the hot row, which must stay under 1 KB
_ESCAPED = '"\\'  # would take more room than they show
_ENDINGS = ("status", "state", "phase")
_HOLDERS = ("job", "data", "result", "run", "task", "execution", "operation", "response", "metadata")


def remote_state(kept: JsonObject) -> str | None:
    """Return the word in an answer as it is kept (`outputFilter` applied), or None when it has none. Longer ones are cut.

    Looked for: `status`, `state`, `phase`, then what ends like one of them (`jobStatus`, `life_cycle_state`), in the body; then one level
    deeper, in what stands under such a name or under `job`, `data` and their like. A body that is a text itself is the word.
    """
    body = kept.get("body")
    if not isinstance(body, Mapping):
        return _word(body)
    return next(_words(body), None) or next((word for inner in _inner(body) for word in _words(inner)), None)


def _words(body: JsonObject) -> Iterator[str]:
    return (word for value in _named(body) if (word := _word(value)))


def _named(body: JsonObject) -> list[Json]:
    """Return the values of fields that tell a state, the plainest names first."""
    names = {name: "".join(char for char in name.lower() if char.isalpha()) for name in body}
    exact = [body[name] for ending in _ENDINGS for name, plain in names.items() if plain == ending]
    return exact + [body[name] for ending in _ENDINGS for name, plain in names.items() if plain.endswith(ending) and plain != ending]


def _inner(body: JsonObject) -> list[JsonObject]:
    return [each for each in (*_named(body), *(body.get(name) for name in _HOLDERS)) if isinstance(each, Mapping)]


def _word(value: Json) -> str | None:
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        return None
    text = "".join(char for char in " ".join(str(value).split()) if char.isprintable() and char not in _ESCAPED)
    return text.encode()[:LONGEST_BYTES].decode(errors="ignore").strip() or None
