"""Reads requests from standard input and answers them, one after the other, under limits, until the parent closes the pipe.

A frame is four bytes of length (big-endian), then that many bytes:

    request   a JSON header on one line, then the subject (JSON text)
              {"load": ENGINE}                                                        get an engine ready, once, before its first program
              {"run": ENGINE, "program": TEXT, "function_body": BOOL, "seconds": N}   evaluate
              {"check": ENGINE, ...the same}                                          look at the syntax only
    answer    the word of an `Answer` on one line, then its text

As soon as a request begins to arrive, one byte (`BEGUN`) goes ahead of the answer: when the process dies, the parent knows whether the
request can have been the reason.
"""

import importlib
import json
import math
import os
import resource
import struct
import sys
from typing import BinaryIO, cast

from fermata.adapters.evaluators.worker.terms import OUT_OF_MEMORY, Answer, Engine, Request, script_error

# Each engine is loaded when first asked for, so jq alone does not pay for JavaScript.
ENGINES = {"quickjs": "quickjs_engine", "js2py": "js2py_engine", "jq": "jq_engine", "starlark": "starlark_engine"}

MEMORY_LIMIT_BYTES = 512 * 1024 * 1024
OPEN_FILES_WHILE_LOADING = 64
# Descriptors 0 to 3 are taken (two pipes, /dev/null twice): with this limit no file can be opened, by whatever way.
NO_MORE_OPEN_FILES = 4

LENGTH_BYTES = 4
BEGUN = b"!"


def main() -> None:
    answers = _keep_the_answer_pipe_to_ourselves()
    os.environ.clear()  # what is left of it (Python adds LC_CTYPE, the loader needs LD_LIBRARY_PATH) is nobody's business
    _limit_resources()
    engines: dict[str, Engine] = {}
    while (frame := _read_frame(sys.stdin.buffer, answers)) is not None:
        payload = "\n".join(_answer(engines, frame)).encode(errors="replace")
        answers.write(struct.pack(">I", len(payload)) + payload)
        answers.flush()


def _keep_the_answer_pipe_to_ourselves() -> BinaryIO:
    """Move the pipe away from descriptor 1, so that nothing an engine prints can be taken for an answer."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return answers


def _limit_resources() -> None:
    """Set what never changes. A limit that this system does not allow is left out: the parent's wall clock still holds."""
    for what, limit in (
        (resource.RLIMIT_AS, MEMORY_LIMIT_BYTES),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_NPROC, 0),
        (resource.RLIMIT_NOFILE, OPEN_FILES_WHILE_LOADING),
    ):
        try:
            resource.setrlimit(what, (limit, limit))
        except (OSError, ValueError):
            continue


def _limit_open_files(limit: int) -> None:
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, OPEN_FILES_WHILE_LOADING))


def _limit_cpu(seconds: float) -> None:
    """End this process after so many more CPU seconds, even when the parent that watches the wall clock has died."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    soft = math.ceil(usage.ru_utime + usage.ru_stime + seconds) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (soft, resource.RLIM_INFINITY))


def _read_frame(pipe: BinaryIO, answers: BinaryIO) -> bytes | None:
    """Return the next request, or None when the parent is gone."""
    head = pipe.read(LENGTH_BYTES)
    if len(head) < LENGTH_BYTES:
        return None
    answers.write(BEGUN)
    answers.flush()
    (length,) = struct.unpack(">I", head)
    body = pipe.read(length)
    return body if len(body) == length else None


def _answer(engines: dict[str, Engine], frame: bytes) -> Answer:
    header_line, _, subject = frame.partition(b"\n")
    header = json.loads(header_line)
    if "load" in header:
        return _load(engines, header["load"])
    request = Request(header["program"], subject.decode(errors="replace"), header["function_body"], header["seconds"])
    if "\0" in request.program:
        return script_error("SyntaxError: the program holds a NUL character")
    _limit_cpu(request.seconds)
    try:
        return engines[header["run"]].evaluate(request) if "run" in header else engines[header["check"]].check(request)
    except MemoryError:
        return OUT_OF_MEMORY
    except Exception as error:  # noqa: BLE001 - an engine may raise anything for what a script does, and the worker has to go on
        return script_error(f"{type(error).__name__}: {error}")


def _load(engines: dict[str, Engine], name: str) -> Answer:
    _limit_open_files(OPEN_FILES_WHILE_LOADING)
    try:
        engines[name] = cast("Engine", importlib.import_module(f"fermata.adapters.evaluators.worker.{ENGINES[name]}"))
    except Exception as error:  # noqa: BLE001 - the parent raises, it alone has a log
        return Answer("fault", f"the engine {name} does not load: {type(error).__name__}: {error}")
    _limit_open_files(NO_MORE_OPEN_FILES)
    return Answer("value", "null")
