"""How a configuration is read: its values as YAML gives them become a `Config`, or everything that is wrong with it is told at once."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from fermata.domain.airpipe import known_keys, templates
from fermata.domain.airpipe.action_reading import read_action
from fermata.domain.airpipe.actions import Action, Codes, Config, Deciding, Interface
from fermata.domain.airpipe.assert_reading import read_assert
from fermata.domain.airpipe.noting import Notes
from fermata.domain.airpipe.ordering import Circular, in_order
from fermata.domain.airpipe.templates import VARIABLE, Surroundings
from fermata.domain.errors import InvalidRequest
from fermata.domain.json_value import Json, JsonObject

METHODS = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"})
RESERVED = ("/runs", "/docs.json", "/documentation")
MAX_ACTIONS = 100


def read_config(value: Json, wrong_program: Callable[[str], str | None]) -> Config:
    """Return the configuration. `wrong_program` returns what is wrong with a jq program's syntax, None for a good one.

    Raises `InvalidRequest` with a violation for each thing that is wrong, under its path.
    """
    notes = Notes(wrong_program)
    given = notes.keys(value, "config", known_keys.TOP, known_keys.TOP_NOT_RUN)
    name = notes.text(given, "name", "config") or ""
    if not name:
        notes.refuse("config.name", "is required")
    variables = _variables(notes, given)
    listed = given.get("interfaces")
    if not isinstance(listed, Mapping):
        notes.refuse("config.interfaces", "must be a map, of a name to each interface")
        listed = {}
    docs = notes.truth(given, "docs", "config", default=True)
    read = tuple(_interface(notes, str(key), each, name, variables) for key, each in listed.items())
    _check_routes(notes, read)
    if notes.violations:
        first = notes.violations[0].message
        more = f" (and {len(notes.violations) - 1} more)" if len(notes.violations) > 1 else ""
        raise InvalidRequest(f"{first}{more}", notes.violations)
    return Config(name, tuple(replace(each, docs=docs) for each in read), tuple(notes.warnings))


def _variables(notes: Notes, given: JsonObject) -> JsonObject:
    if "global" not in given:
        return {}
    around = notes.keys(given["global"], "config.global", known_keys.GLOBAL, known_keys.GLOBAL_NOT_RUN)
    variables = around.get("variables", {})
    if not isinstance(variables, Mapping):
        notes.refuse("config.global.variables", "must be a map")
        return {}
    read = {str(key): templates.normalized(notes, each, f"config.global.variables.{key}", VARIABLE) for key, each in variables.items()}
    for key, each in read.items():
        templates.check(notes, {"http": each}, f"config.global.variables.{key}", Surroundings("", frozenset(), read))
    try:
        in_order({key: frozenset(templates.variables_used(each, read, VARIABLE)) & read.keys() for key, each in read.items()})
    except (Circular, ValueError) as error:
        notes.refuse("config.global.variables", str(error))
    return read


def _interface(notes: Notes, key: str, value: Json, config: str, variables: JsonObject) -> Interface:
    path = f"interfaces.{key}"
    given = notes.keys(value, path, known_keys.INTERFACE, known_keys.INTERFACE_NOT_RUN)
    if given.get("output", "http") != "http":
        notes.refuse(f"{path}.output", "only http is supported here")
    method = (notes.text(given, "method", path) or "GET").upper()
    if method not in METHODS:
        notes.refuse(f"{path}.method", f"must be one of {', '.join(sorted(METHODS))}")
    response = notes.keys(given.get("response", {}), f"{path}.response", known_keys.RESPONSE, known_keys.RESPONSE_NOT_RUN)
    if any("a|" in text for text in notes.texts(response, "headers", f"{path}.response").values()):
        notes.refuse(f"{path}.response.headers", "are sent as they stand; use response_on_success for values of a run")
    actions, written = _actions(notes, given, path, config, variables)
    return Interface(
        config=config,
        key=key,
        route="/" + (notes.text(given, "route", path) or key).strip("/"),
        method=method,
        actions=actions,
        written=written,
        codes=_codes(notes, response, f"{path}.response", frozenset(written)),
        checks=_checks(notes, given, path, frozenset(written), variables),
        headers=notes.headers(response, "headers", f"{path}.response"),
        documentation={name: given[name] for name in known_keys.DOCUMENTATION if name in given},
        variables=variables,
    )


def _codes(notes: Notes, given: JsonObject, path: str, names: frozenset[str]) -> Codes:
    inherited = given.get("http_code_inherit_error") or []
    if not isinstance(inherited, list) or not all(isinstance(name, str) and name in names for name in inherited):
        notes.refuse(f"{path}.http_code_inherit_error", "must be a list of this interface's actions")
        inherited = []
    strategy = given.get("http_code_fallback_strategy") or Deciding.LAST
    if strategy not in list(Deciding):
        notes.refuse(f"{path}.http_code_fallback_strategy", f"must be one of {', '.join(Deciding)}")
        strategy = Deciding.LAST
    on_error, fallback = (notes.code(given, key, path) for key in ("http_code_on_error", "http_code_fallback"))
    return Codes(on_error, tuple(inherited), fallback, Deciding(strategy))


def _checks(notes: Notes, given: JsonObject, path: str, names: frozenset[str], variables: JsonObject) -> JsonObject:
    """Return the interface's own assert, its markers ending by the documented rule."""
    if "assert" not in given:
        return {}
    block = templates.normalized(notes, given["assert"], f"{path}.assert", ".assert")
    templates.check(notes, {"assert": block}, path, Surroundings("", names, variables))
    read = read_assert(notes, block, f"{path}.assert")
    for test in read.tests:
        if test.subject.action is not None and test.subject.action not in names:
            notes.refuse(f"{path}.assert", f"no action of this interface is called '{test.subject.action}'")
    return block if isinstance(block, Mapping) else {}


def _actions(
    notes: Notes, interface: JsonObject, path: str, config: str, variables: JsonObject
) -> tuple[tuple[Action, ...], Mapping[str, JsonObject]]:
    """Return the actions as they are listed, and each one's own text."""
    listed = interface.get("actions")
    if not isinstance(listed, list) or not listed or len(listed) > MAX_ACTIONS:
        notes.refuse(f"{path}.actions", f"must be a list of 1 to {MAX_ACTIONS} actions")
        return (), {}
    defaults = notes.keys(interface.get("defaults", {}), f"{path}.defaults", {"expect_status"})
    names = _names(notes, listed, path)
    actions: list[Action] = []
    written: dict[str, JsonObject] = {}
    for index, (name, each) in enumerate(zip(names, listed, strict=True)):
        if name is None:
            continue
        place = f"{path}.actions.{name}"
        text = {**templates.normalized(notes, each, place), "name": name}
        templates.check(notes, text, place, _around(name, names, variables))
        written[name] = {**text, "previous": names[index - 1] if index else None, "defaults": dict(defaults)}
        actions.append(read_action(notes, text, place, config, names[index - 1] if index else None, defaults))
    _check_waits(notes, actions, written, path)
    return tuple(actions), written


def _around(name: str, names: list[str | None], variables: JsonObject) -> Surroundings:
    return Surroundings(name, frozenset(each for each in names if each is not None and each != name), variables)


def _names(notes: Notes, listed: list[Json], path: str) -> list[str | None]:
    names: list[str | None] = []
    for index, each in enumerate(listed):
        name = each.get("name") if isinstance(each, Mapping) else None
        if not isinstance(name, str) or not name.strip() or name in names or not _usable(name):
            wrong = "is there already; names are unique in an interface" if name in names else "is required: letters, digits, _ and -"
            notes.refuse(f"{path}.actions[{index}].name", wrong)
            name = None
        names.append(name)
    return names


def _usable(name: str) -> bool:
    return len(name) <= 200 and all(letter.isalnum() or letter in "_-. " for letter in name)  # noqa: PLR2004 - a reference name's length


def _check_waits(notes: Notes, actions: list[Action], written: Mapping[str, JsonObject], path: str) -> None:
    names = {action.name for action in actions}
    for action in actions:
        for name in sorted((gate_names(action) | tested_actions(action)) - names):
            notes.refuse(f"{path}.actions.{action.name}", f"no action of this interface is called '{name}'")
    try:
        schedule(actions, written)
    except Circular as error:
        notes.refuse(f"{path}.actions", str(error))


def gate_names(action: Action) -> frozenset[str]:
    """Return the actions that an action's gates name."""
    return frozenset(name for gate in action.gates for name in gate.actions)


def tested_actions(action: Action) -> frozenset[str]:
    """Return the actions whose data an action's tests look at."""
    blocks = [action.asserts, *([action.guard] if action.guard else [])]
    return frozenset(test.subject.action for block in blocks for test in block.tests if test.subject.action is not None)


def needed(action: Action, written: JsonObject, names: frozenset[str]) -> frozenset[str]:
    """Return the other actions that must be over before this one can run."""
    around = Surroundings(action.name, names - {action.name}, {})
    return ((gate_names(action) | tested_actions(action)) & names | templates.named_actions(written, around)) - {action.name}


def schedule(actions: list[Action] | tuple[Action, ...], written: Mapping[str, JsonObject]) -> tuple[str, ...]:
    """Return the names in the order in which the actions run. Raises `Circular`."""
    names = frozenset(action.name for action in actions)
    waits = {action.name: needed(action, written[action.name], names) for action in actions}
    for action in actions:  # one whose gate names itself
        if action.name in gate_names(action):
            raise Circular([action.name])
    return in_order(waits)


def _check_routes(notes: Notes, interfaces: tuple[Interface, ...]) -> None:
    seen: set[tuple[str, str]] = set()
    for each in interfaces:
        if any(each.route == taken or each.route.startswith(f"{taken}/") for taken in RESERVED):
            notes.refuse(f"interfaces.{each.key}", f"{each.route} is taken: that is where runs and documents are looked up")
        if (each.method, each.route) in seen:
            notes.refuse(f"interfaces.{each.key}", f"another interface answers {each.method} {each.route} already")
        seen.add((each.method, each.route))
