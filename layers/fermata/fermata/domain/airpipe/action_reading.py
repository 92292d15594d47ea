"""How one action is read, from YAML's values to an `Action` (air pipe reference, 2)."""

from collections.abc import Mapping

from fermata.domain.airpipe import known_keys
from fermata.domain.airpipe.actions import Action, Gate, InputSource, OutputSource, Response, Transform, Visibility, When
from fermata.domain.airpipe.assert_reading import read_assert
from fermata.domain.airpipe.asserting import Assert
from fermata.domain.airpipe.json_text import parsed
from fermata.domain.airpipe.noting import Notes
from fermata.domain.airpipe.retrying import Retry
from fermata.domain.airpipe.source_reading import read_source, status_class
from fermata.domain.airpipe.transforms import TRANSFORMS, wrong_argument
from fermata.domain.json_value import Json, JsonObject

PREVIOUS = "previous"
MAX_ATTEMPTS = 10_000


def read_action(
    notes: Notes, given: JsonObject, path: str, config: str, before: str | None = None, defaults: JsonObject | None = None
) -> Action:
    """Return the action whose markers end by the documented rule; what is wrong with it is noted.

    `before`: the action just above in the list, which `previous` means. `defaults`: the interface's.
    """
    notes.keys(given, path, known_keys.ACTION, known_keys.ACTION_NOT_RUN | known_keys.TRANSFORMS_NOT_RUN)
    source = read_source(notes, given, path, config, defaults or {})
    if isinstance(source, OutputSource) and isinstance(source.template, str):
        _check_literal(notes, source.template, f"{path}.json_output")
    retry = _retry(notes, given["retry"], f"{path}.retry") if "retry" in given else Retry()
    if "retry" in given and isinstance(source, OutputSource | InputSource):
        notes.refuse(f"{path}.retry", "would see the same at every try; only http and state actions can be tried again")
    return Action(
        name=str(given.get("name", "")),
        source=source,
        gates=tuple(_gate(notes, key, given[key], f"{path}.{key}", before) for key in known_keys.GATES if key in given),
        guard=read_assert(notes, given["run_on_assertion"], f"{path}.run_on_assertion") if "run_on_assertion" in given else None,
        asserts=read_assert(notes, given["assert"], f"{path}.assert") if "assert" in given else Assert(),
        retry=retry,
        transforms=_transforms(notes, given, path),
        on_success=_response(notes, given, "response_on_success", path),
        on_error=_response(notes, given, "response_on_error", path),
        visible=Visibility(*(not notes.truth(given, key, path, default=False) for key in known_keys.HIDING)),
    )


def _check_literal(notes: Notes, text: str, path: str) -> None:
    if "a|" in text:
        return
    try:
        parsed(text)
    except ValueError as error:
        notes.refuse(path, f"is text, and no JSON: {error}")


def _gate(notes: Notes, key: str, value: Json, path: str, before: str | None) -> Gate:
    """Read the short form, a list, or the long one."""
    given = notes.keys(value, path, known_keys.GATE) if isinstance(value, Mapping) else {"actions": value}
    named = given.get("actions")
    names = [named] if isinstance(named, str) else named
    if not isinstance(names, list) or not names or not all(isinstance(name, str) for name in names):
        notes.refuse(path, "must name one action or more")
        names = []
    if PREVIOUS in names and before is None:
        notes.refuse(path, "'previous' stands above this action, and nothing does")
    meant = [before if name == PREVIOUS and before is not None else name for name in names]
    least = notes.whole(given, "at_least", path, 1)
    if least is not None and least > len(meant):
        notes.refuse(f"{path}.at_least", f"is more than the {len(meant)} named")
    when = When.FINISHED if key == "depends_on" else When(key)
    previous = frozenset({before} if PREVIOUS in names and before is not None else ())
    return Gate(when, tuple(meant), previous, least, notes.code(given, "http_code_on_error", path))


def _retry(notes: Notes, value: Json, path: str) -> Retry:
    given = notes.keys(value, path, known_keys.RETRY)
    attempts = notes.whole(given, "attempts", path, 1) or 1
    if attempts > MAX_ATTEMPTS:
        notes.refuse(f"{path}.attempts", f"is more than {MAX_ATTEMPTS}")
    jitter = given.get("jitter")
    if jitter not in (None, "full", "none"):
        notes.refuse(f"{path}.jitter", "must be full or none")
    return Retry(
        attempts=attempts,
        delay=notes.length(given, "delay", path) or Retry().delay,
        doubling=notes.truth(given, "exponential_backoff", path, default=False),
        max_delay=notes.length(given, "max_delay", path),
        full_jitter=None if jitter is None else jitter == "full",
        respects_retry_after=notes.truth(given, "respect_retry_after", path, default=True),
        on=_classes(notes, given, "on", path),
        never_on=_classes(notes, given, "except", path),
    )


def _classes(notes: Notes, given: JsonObject, key: str, path: str) -> tuple[Json, ...]:
    value = given.get(key)
    each = [] if value is None else value if isinstance(value, list) else [value]
    for one in each:
        status_class(notes, one, f"{path}.{key}", ("timeout", "connect", "any"))
    return tuple(each)


def _transforms(notes: Notes, given: JsonObject, path: str) -> tuple[Transform, ...]:
    value = given.get("post_transforms", [])
    if not isinstance(value, list):
        notes.refuse(f"{path}.post_transforms", "must be a list")
        return ()
    found: list[Transform] = []
    for index, each in enumerate(value):
        place = f"{path}.post_transforms[{index}]"
        entry = notes.keys(each, place, TRANSFORMS.keys(), known_keys.TRANSFORMS_NOT_RUN)
        if len(entry) != 1:
            notes.refuse(place, "must be one transform")
        for name, argument in entry.items():
            found += _transform(notes, str(name), argument, f"{place}.{name}")
    return tuple(found)


def _transform(notes: Notes, name: str, argument: Json, path: str) -> list[Transform]:
    if name not in TRANSFORMS:
        return []
    wrong = wrong_argument(name, argument)
    if wrong:
        notes.refuse(path, wrong)
        return []
    if name == "extract_with_jq":
        notes.program(argument, path)
    return [Transform(name, argument)]


def _response(notes: Notes, action: JsonObject, key: str, path: str) -> Response | None:
    if key not in action:
        return None
    place = f"{path}.{key}"
    given = notes.keys(action[key], place, known_keys.RESPONSE_ON)
    return Response(notes.code(given, "http_code", place), notes.headers(given, "headers", place), notes.text(given, "body", place))
