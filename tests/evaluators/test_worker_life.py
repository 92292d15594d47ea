"""The worker process: started late, replaced when lost, gone with its parent, and told nothing of the parent's environment."""

import importlib.util
import os
import select
import shutil
import signal
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from fermata.adapters.evaluators import child_evaluator
from fermata.adapters.evaluators.child_evaluator import ChildEvaluator
from fermata.domain.errors import EngineBug, TransientError
from fermata.domain.questions import Evaluate, Evaluated, EvaluationFailed, Language

ONE = Evaluate(Language.JAVASCRIPT, "1", "null")
JQ_ONE = Evaluate(Language.JQ, "1", "null")
STUCK = Evaluate(Language.JAVASCRIPT, "Array.prototype.reverse.call({length: 1e12})", "null")
ENDS_WITHIN_SECONDS = 10

# A program that asks one question, prints the worker's id and does what its argument says.
ASKS = """
import sys
from fermata.adapters.evaluators.child_evaluator import ChildEvaluator
from fermata.domain.questions import Evaluate, Language
evaluator = ChildEvaluator()
assert evaluator.evaluate(Evaluate(Language.JAVASCRIPT, "1 + 1", "null")).value == 2
assert evaluator.evaluate(Evaluate(Language.JQ, ". + 1", "1")).value == [2]
print(evaluator._worker.pid, flush=True)
if sys.argv[1] == "wait":
    sys.stdin.read()
"""


@pytest.fixture
def evaluator():
    evaluator = ChildEvaluator(wall_limit=timedelta(seconds=2))
    yield evaluator
    evaluator.close()


def package_root():
    return str(Path(importlib.util.find_spec("fermata").origin).parent.parent)


def asking_process(what):
    env = {**os.environ, "PYTHONPATH": package_root()}
    return subprocess.Popen([sys.executable, "-c", ASKS, what], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env)


def assert_ends(pid):
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    ended, _, _ = select.select([descriptor], [], [], ENDS_WITHIN_SECONDS)
    os.close(descriptor)
    assert ended


def test_no_process_is_started_before_the_first_question(evaluator):
    assert evaluator._worker is None


def test_one_worker_serves_both_languages(evaluator):
    evaluator.evaluate(ONE)
    pid = evaluator._worker.pid
    evaluator.evaluate(JQ_ONE)
    assert evaluator._worker.pid == pid


def test_a_worker_that_died_while_idle_is_replaced_unseen(evaluator):
    assert evaluator.evaluate(ONE) == Evaluated(1)
    os.kill(evaluator._worker.pid, signal.SIGKILL)
    assert evaluator.evaluate(ONE) == Evaluated(1)


def test_a_pipe_found_broken_is_tried_once_more_on_a_fresh_worker(evaluator, monkeypatch):
    assert evaluator.evaluate(ONE) == Evaluated(1)
    lost = evaluator._worker
    lost._process.kill()
    lost._process.wait()
    monkeypatch.setattr(type(lost), "alive", True)
    assert evaluator.evaluate(ONE) == Evaluated(1)
    assert evaluator._worker is not lost


def test_a_stuck_worker_is_killed_and_collected(evaluator):
    assert evaluator.evaluate(ONE) == Evaluated(1)
    pid = evaluator._worker.pid
    assert evaluator.evaluate(STUCK) == EvaluationFailed("Script not evaluated within 2 seconds, interrupted.", timed_out=True)
    assert not Path(f"/proc/{pid}").exists()
    assert evaluator.evaluate(ONE) == Evaluated(1)


def test_a_worker_that_dies_of_a_script_is_reported_as_a_limit(evaluator):
    failed = evaluator.evaluate(Evaluate(Language.JQ, '"a" * 1e9', "null"))
    assert failed.timed_out
    assert "memory" in failed.reason


def test_closing_ends_the_worker_and_a_later_question_starts_another(evaluator):
    evaluator.evaluate(ONE)
    pid = evaluator._worker.pid
    evaluator.close()
    evaluator.close()
    assert not Path(f"/proc/{pid}").exists()
    assert evaluator.evaluate(ONE) == Evaluated(1)


def test_the_worker_ends_with_the_interpreter():
    parent = asking_process("end")
    pid = int(parent.communicate()[0])
    assert parent.returncode == 0
    assert not Path(f"/proc/{pid}").exists()


def test_the_worker_ends_when_its_parent_is_killed():
    parent = asking_process("wait")
    pid = int(parent.stdout.readline())
    parent.kill()
    parent.communicate()
    assert_ends(pid)


def test_the_worker_knows_nothing_of_the_environment(monkeypatch):
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "made-up-secret")
    evaluator = ChildEvaluator()
    try:
        evaluator.evaluate(ONE)
        evaluator.evaluate(JQ_ONE)
        environment = Path(f"/proc/{evaluator._worker.pid}/environ").read_bytes()
        assert b"made-up-secret" not in environment
        assert {entry.partition(b"=")[0] for entry in environment.split(b"\0") if entry} <= {b"LD_LIBRARY_PATH", b"LC_CTYPE"}
        for program in ("env, $ENV, ([inputs] | length), input_filename | tojson", "[env, $ENV, input] | tojson"):
            answer = evaluator.evaluate(Evaluate(Language.JQ, program, "null"))
            assert "made-up-secret" not in str(answer)
    finally:
        evaluator.close()


def test_the_worker_holds_no_descriptor_of_its_parent_and_can_open_none(evaluator):
    evaluator.evaluate(ONE)
    evaluator.evaluate(JQ_ONE)
    process = Path(f"/proc/{evaluator._worker.pid}")
    assert sorted(entry.name for entry in (process / "fd").iterdir()) == ["0", "1", "2", "3"]
    limits = {line[:26].strip(): line[26:].split()[0] for line in (process / "limits").read_text().splitlines()[1:]}
    assert limits["Max open files"] == "4"
    assert limits["Max address space"] == str(512 * 1024 * 1024)
    assert limits["Max core file size"] == "0"
    assert limits["Max file size"] == "0"
    assert limits["Max cpu time"] != "unlimited"


def test_an_engine_that_is_not_known_is_refused_at_once():
    with pytest.raises(ValueError, match="quickjs, js2py"):
        ChildEvaluator("v8")


def test_an_engine_that_is_not_installed_is_a_bug_of_the_deployment(evaluator, monkeypatch):
    monkeypatch.setattr(child_evaluator, "_import_paths", lambda: [package_root()])
    with pytest.raises(EngineBug, match="quickjs does not load"):
        evaluator.evaluate(ONE)


def test_a_worker_that_does_not_start_is_worth_another_try(evaluator, monkeypatch):
    monkeypatch.setattr(child_evaluator, "_import_paths", list)
    with pytest.raises(TransientError):
        evaluator.evaluate(ONE)


def test_a_system_without_processes_is_worth_another_try(evaluator, monkeypatch):
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with pytest.raises(TransientError):
        evaluator.evaluate(ONE)


def test_js2py_itself_is_never_imported():
    look = (
        "import sys; sys.path.extend(sys.argv[1:]); import fermata.adapters.evaluators.worker.js2py_engine;"
        "print(sorted(name for name in sys.modules if name.startswith('js2py') and not name.startswith('js2py.internals')))"
    )
    command = [sys.executable, "-I", "-S", "-c", look, *child_evaluator._import_paths()]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip() == "['js2py']"


def test_everything_in_one_folder_works_as_in_a_lambda_layer(tmp_path):
    layer = tmp_path / "python"
    shutil.copytree(Path(package_root(), "fermata"), layer / "fermata", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("_quickjs", "jq"):
        shutil.copy(importlib.util.find_spec(name).origin, layer)
    program = f"import sys; sys.path.append({str(layer)!r})\n{ASKS}"
    asked = subprocess.run([sys.executable, "-I", "-S", "-c", program, "end"], capture_output=True, text=True, check=False, env={})
    assert (asked.returncode, asked.stderr) == (0, "")
