"""The passing line of a terminal, and a watch that outlives a server that is away."""

import io
import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta

import click
import pytest
from click.testing import CliRunner
from fermata_local import checkout
from fermata_local.cli import main
from fermata_local.cli.conductor import Refused, Unreachable
from fermata_local.cli.live import LiveLine, standing
from fermata_local.cli.watch import MOST_FAILURES, follow

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)


def poll(wait, made=3):
    due = (NOW + wait).timestamp() * 1000
    return {"taskType": "HTTP_POLL", "status": "IN_PROGRESS", "referenceTaskName": "await_job", "pollCount": made, "nextPollTime": due}


@pytest.mark.parametrize(
    ("tasks", "line"),
    [
        ([poll(timedelta(seconds=42))], "RUNNING  await_job: 3 polls made, next look in 42 s"),
        ([poll(timedelta(minutes=2, seconds=5))], "RUNNING  await_job: 3 polls made, next look in 2 min 5 s"),
        ([poll(timedelta(hours=3))], "RUNNING  await_job: 3 polls made, next look in 3 h 0 min"),
        ([poll(timedelta(seconds=-3))], "RUNNING  await_job: 3 polls made, next look now"),
        ([{**poll(timedelta(0)), "nextPollTime": None}], "RUNNING  await_job: 3 polls made"),
        (
            [{"status": "SCHEDULED", "referenceTaskName": "resize", "taskType": "resize"}, {"status": "COMPLETED"}],
            "RUNNING  resize SCHEDULED",
        ),
        ([], "RUNNING  between two tasks"),
    ],
)
def test_the_passing_line_says_what_a_run_waits_for(tasks, line):
    assert standing({"status": "RUNNING", "tasks": tasks}, NOW) == line


class Terminal(io.StringIO):
    def isatty(self):
        return True


class Server:
    """Answers one after another; an error is raised. The last answer stays."""

    def __init__(self, *answers):
        self.answers = list(answers)

    def record(self, _path, **_params):
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer


RUNNING = {"status": "RUNNING", "tasks": []}
DONE = {
    "status": "COMPLETED",
    "tasks": [{"taskId": "t", "taskType": "HTTP", "referenceTaskName": "a", "status": "COMPLETED"}],
    "output": {},
}


def line(out, rests):
    return LiveLine(out, lambda: NOW, rests.append)


def test_a_terminal_gets_a_line_that_is_taken_away_again(capsys):
    out, rests = Terminal(), []
    assert follow(Server(RUNNING, DONE), "id", line(out, rests)) == 0
    shown = out.getvalue()
    assert "  RUNNING  between two tasks" in shown
    assert shown.split("\r\x1b[K")[-1] == "  --:--:--  a: COMPLETED\n"
    assert capsys.readouterr().out == "COMPLETED\n{}\n"


def test_a_pipe_gets_only_lines_that_stay():
    out, rests = io.StringIO(), []
    assert follow(Server(RUNNING, RUNNING, DONE), "id", line(out, rests)) == 0
    assert out.getvalue() == "  --:--:--  a: COMPLETED\n"
    assert rests == [1.0, 2.0], "looks become rarer while nothing happens"


def test_a_server_that_is_away_for_a_while_is_waited_for():
    away = Unreachable("No server")
    assert follow(Server(RUNNING, away, Refused("later", 503), away, DONE), "id", line(io.StringIO(), [])) == 0


def test_a_server_that_stays_away_or_was_never_there_ends_the_watching():
    away, rests = Unreachable("No server"), []
    with pytest.raises(Unreachable):
        follow(Server(RUNNING, away), "id", line(io.StringIO(), rests))
    assert len(rests) == 1 + MOST_FAILURES
    with pytest.raises(Unreachable):
        follow(Server(away), "id", line(io.StringIO(), []))


def test_ctrl_c_ends_the_watching_and_says_how_to_go_on(capsys):
    def interrupt(_seconds):
        raise KeyboardInterrupt

    out = Terminal()
    with pytest.raises(click.exceptions.Exit) as left:
        follow(Server(RUNNING), "id", LiveLine(out, lambda: NOW, interrupt))
    assert left.value.exit_code == 130
    assert out.getvalue().endswith("\r\x1b[K")
    assert "fermata workflow watch id" in capsys.readouterr().err


def test_ctrl_c_anywhere_else_is_said_in_a_word(monkeypatch):
    def interrupt(*_args, **_more):
        raise KeyboardInterrupt

    monkeypatch.setattr("requests.Session.request", interrupt)
    result = CliRunner().invoke(main, ["task", "list"])
    assert (result.exit_code, result.stderr) == (130, "\nStopped.\n")


def test_nobody_reading_ends_quietly():
    paths = os.pathsep.join(str(checkout.ROOT / part) for part in ("layers/fermata", "local"))
    command = [sys.executable, "-c", "from fermata_local.cli import main; main()", "completion", "fish"]
    environment = {**os.environ, "PYTHONPATH": paths}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment) as ran:
        ran.stdout.close()  # long before the process has anything to say
        assert (ran.stderr.read(), ran.wait(60)) == ("", 141)


def test_a_run_that_is_gone_is_not_waited_for():
    rests = []
    with pytest.raises(Refused):
        follow(Server(RUNNING, Refused("No such workflow", 404)), "id", line(io.StringIO(), rests))
    assert len(rests) == 1
