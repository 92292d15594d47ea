"""Air Pipe's YAML files: how they are read, and served by the local cloud."""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml
from fermata.adapters.evaluators.child_evaluator import ChildEvaluator
from fermata.domain.airpipe.actions import Config
from fermata.domain.airpipe.reading import read_config
from fermata.domain.errors import InvalidRequest
from fermata.domain.questions import Evaluate, Language
from fermata.ports import Pauses

from fermata_local.clocks import LocalClock
from fermata_local.cloud import engine_doors
from fermata_local.doors import Handler

MAX_BYTES = 1024 * 1024
MAX_NODES = 100_000  # with every alias written out: YAML can spell billions in a line


class _Loader(yaml.SafeLoader):
    """YAML 1.2's truths: `on`, `off`, `yes` and `no` are words. A key that stands twice is a mistake."""

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:  # noqa: FBT001, FBT002 - PyYAML's signature
        keys = [key.value for key, _ in node.value]
        twice = next((key for key in keys if keys.count(key) > 1), None)
        if twice is not None:
            raise yaml.constructor.ConstructorError(None, None, f"the key '{twice}' stands here twice", node.start_mark)
        return super().construct_mapping(node, deep)


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag not in ("tag:yaml.org,2002:bool", "tag:yaml.org,2002:timestamp")]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile(r"^(?:true|True|TRUE|false|False|FALSE)$"), list("tTfF"))


def read_file(path: Path) -> Config:
    """Return the configuration of a file. Raises `InvalidRequest` with everything that is wrong, `OSError`."""
    return read_config(values_of(path), _wrong_program)


def values_of(path: Path) -> Any:
    """Return what a file says, as JSON can carry it. Raises `InvalidRequest` when it is no such YAML, `OSError`."""
    content = path.read_bytes()
    if len(content) > MAX_BYTES:
        raise InvalidRequest(f"{path} is larger than {MAX_BYTES} bytes")
    try:
        value = yaml.load(content, Loader=_Loader)  # noqa: S506 - a safe loader's child
        if _size(value, {}) > MAX_NODES:
            raise InvalidRequest(f"{path} holds more than {MAX_NODES} values")
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise InvalidRequest(f"{path} is no YAML: {error}") from error
    try:
        return json.loads(json.dumps(value, allow_nan=False))
    except (TypeError, ValueError) as error:
        raise InvalidRequest(f"{path} holds what JSON does not have: {error}") from error


def _size(value: Any, known: dict[int, int]) -> int:
    """Count values, each alias as often as it is used. Raises `RecursionError` for one that stands in itself."""
    if not isinstance(value, dict | list):
        return 1
    if id(value) not in known:
        inner = value.values() if isinstance(value, dict) else value
        known[id(value)] = 1 + sum(_size(each, known) for each in inner)
    return known[id(value)]


def _wrong_program(program: str) -> str | None:
    return ChildEvaluator().syntax_error(Evaluate(Language.JQ, program, "null")) if program else "it is empty"


@contextmanager
def doors_without_store(clock: LocalClock, pauses: Pauses) -> Iterator[Mapping[str, Handler]]:
    """Give the engine's doors, the one for interfaces refusing what would have to be parked."""
    with engine_doors(clock, pauses) as doors:
        from fermata import bootstrap
        from fermata.api.airpipe import create
        from fermata.application.airpipe.serving import Place

        yield {**doors, "airpipe": create(bootstrap.engine(), Place(bootstrap.engine().airpipe_prefix, durable=False))}


def publish(config: Config) -> None:
    """Serve a configuration's interfaces in the local cloud that is open. Raises `InvalidRequest`, `Conflict`."""
    from fermata import bootstrap
    from fermata.application.airpipe import interfaces

    interfaces.publish(bootstrap.engine(), config)
