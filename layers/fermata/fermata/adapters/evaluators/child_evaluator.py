"""The `Evaluator` port: questions answered by a worker process that is started when first needed and replaced when it was ended."""

import importlib.util
import json
import threading
from datetime import timedelta
from pathlib import Path

from fermata.adapters.evaluators.results import result_of
from fermata.adapters.evaluators.worker_process import WorkerDied, WorkerGone, WorkerProcess, WorkerTimedOut
from fermata.domain.errors import EngineBug, TransientError
from fermata.domain.questions import Evaluate, EvaluationFailed, EvaluationResult, Language

JAVASCRIPT_ENGINES = ("quickjs", "js2py")

# Conductor's limit, CONDUCTOR_SCRIPT_MAX_EXECUTION_SECONDS.
WALL_LIMIT = timedelta(seconds=4)
# About 30 ms on a laptop; a small Lambda function gets a fraction of a processor.
START_LIMIT = timedelta(seconds=20)
# What the engine itself is given, so that it can stop a plain loop and live. The wall clock is for what does not listen.
ENGINE_SHARE = 0.9


class ChildEvaluator:
    """Evaluates JavaScript, jq and Python's syntax in one child process: empty environment, no files, 512 MB, ended by the wall clock.

    `engine` runs JavaScript: "quickjs" (the package quickjs-ng) or "js2py" (the bytecode VM of js2py: ES5 without Date, pure Python).
    Safe to use from several threads; questions then wait for each other. Raises `EngineBug` when an engine is not installed and
    `TransientError` when no process can be had.
    """

    def __init__(self, engine: str = "quickjs", wall_limit: timedelta = WALL_LIMIT) -> None:
        if engine not in JAVASCRIPT_ENGINES:
            raise ValueError(f"evaluator {engine!r} is not known: use one of {', '.join(JAVASCRIPT_ENGINES)}")
        self._engines = {Language.JAVASCRIPT: engine, Language.JQ: "jq", Language.PYTHON: "starlark"}
        self._wall_limit = wall_limit
        self._lock = threading.Lock()
        self._worker: WorkerProcess | None = None
        self._loaded: set[str] = set()

    def evaluate(self, question: Evaluate) -> EvaluationResult:
        """Run one untrusted expression. Never raises for what a script does. Safe to repeat: nothing is kept between two questions."""
        answer = self._ask("run", question)
        return result_of(question.language, answer) if isinstance(answer, str) else answer

    def syntax_error(self, question: Evaluate) -> str | None:
        """Return what is wrong with the program's syntax, or None. Nothing of it runs; `subject` is not read."""
        answer = self._ask("check", question)
        return None if isinstance(answer, str) else answer.reason

    def close(self) -> None:
        """End the worker. Safe to repeat; a later question starts another one."""
        with self._lock:
            self._end_worker()

    def _ask(self, action: str, question: Evaluate) -> str | EvaluationFailed:
        engine = self._engines[question.language]
        header = {
            action: engine,
            "program": question.program,
            "function_body": question.function_body,
            "seconds": self._wall_limit.total_seconds() * ENGINE_SHARE,
        }
        subject = question.subject if action == "run" else "null"
        request = json.dumps(header).encode() + b"\n" + subject.encode(errors="replace")
        with self._lock:
            return self._answered(engine, request)

    def _answered(self, engine: str, request: bytes) -> str | EvaluationFailed:
        try:
            return self._understood(self._exchange(engine, request))
        except WorkerTimedOut:
            self._end_worker()
            return EvaluationFailed(self._interrupted(), timed_out=True)
        except WorkerDied:
            self._end_worker()
            return EvaluationFailed("Script stopped: it hit a limit of memory (512 MB) or time.", timed_out=True)
        except BaseException:
            # An interrupt in the middle of an exchange leaves half a frame in the pipe.
            self._end_worker()
            raise

    def _exchange(self, engine: str, request: bytes) -> bytes:
        """Ask the worker, and once more a fresh one when an idle one had died (as a frozen Lambda environment may lose it)."""
        if self._worker is not None and not self._worker.alive:
            self._end_worker()
        was_idle = self._worker is not None
        try:
            return self._ready_worker(engine).exchange(request, self._wall_limit)
        except WorkerGone:
            if not was_idle:
                raise
            self._end_worker()
            return self._ready_worker(engine).exchange(request, self._wall_limit)

    def _ready_worker(self, engine: str) -> WorkerProcess:
        if self._worker is None:
            try:
                self._worker = WorkerProcess(_import_paths())
            except OSError as error:
                raise TransientError(f"The process that evaluates expressions cannot be started: {error}") from error
        if engine not in self._loaded:
            self._load(self._worker, engine)
        return self._worker

    def _load(self, worker: WorkerProcess, engine: str) -> None:
        try:
            answer = worker.exchange(json.dumps({"load": engine}).encode(), START_LIMIT)
        except (WorkerTimedOut, WorkerDied) as error:
            raise TransientError(f"The process that evaluates expressions does not start (engine {engine}).") from error
        self._understood(answer)
        self._loaded.add(engine)

    def _understood(self, answer: bytes) -> str | EvaluationFailed:
        word, _, text = answer.decode().partition("\n")
        match word:
            case "value":
                return text
            case "failed":
                return EvaluationFailed(text)
            case "limit":
                return EvaluationFailed(text or self._interrupted(), timed_out=True)
            case _:
                raise EngineBug(f"Expressions cannot be evaluated: {text}")

    def _interrupted(self) -> str:
        """Conductor's wording."""
        return f"Script not evaluated within {self._wall_limit.total_seconds():g} seconds, interrupted."

    def _end_worker(self) -> None:
        if self._worker is not None:
            self._worker.end()
        self._worker = None
        self._loaded = set()


def _import_paths() -> list[str]:
    """Return the folders of Fermata itself and of the packages the engines need, wherever they are installed."""
    places = []
    for name in ("fermata", "_quickjs", "jq", "starlark", "js2py", "pyjsparser", "six"):
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.origin is not None:
            origin = Path(spec.origin)
            places.append(str(origin.parent.parent if spec.submodule_search_locations else origin.parent))
    return list(dict.fromkeys(places))
