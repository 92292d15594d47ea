"""Every command explains itself, with examples that can be typed; the documents name commands that exist."""

import os
import re
import shlex
import subprocess
import sys

import click
import pytest
from click.testing import CliRunner
from fermata_local import checkout
from fermata_local.cli import main
from fermata_local.cli.reference import commands, reference

ROOT = main.make_context("fermata", [], resilient_parsing=True)
COMMANDS = {context.command_path: command for command, context in commands(main, ROOT)}
DOCUMENTS = sorted([*(checkout.ROOT / "docs").glob("*.md"), checkout.ROOT / "README.md"])


def typed(script):
    """Yield the words of each `fermata` command in a shell script, those of $(...) included."""
    for line in script.replace("\\\n", " ").splitlines():
        if "fermata " in line:
            yield from _commands(line)


def _commands(line):
    lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    words = []
    for token in [*lexer, ";"]:
        if inner := re.search(r"\$\((.*)\)", token):
            yield from _commands(inner[1])
        if not set(token) <= set("();<>|&"):
            words.append(token)
            continue
        if words and words[0].removeprefix(".venv/bin/") == "fermata":
            yield words[1:]
        words = []


def parse(words):
    """Let click read a command without running it, and return its path. Raises what click raises."""
    context = main.make_context("fermata", list(words))
    while isinstance(context.command, click.Group):
        name, command, rest = context.command.resolve_command(context, [*context._protected_args, *context.args])
        context = command.make_context(name, rest, parent=context)
    return context.command_path


@pytest.mark.parametrize("path", COMMANDS)
def test_every_command_has_help_and_an_example_of_itself(path):
    command = COMMANDS[path]
    assert command.help
    [*examples] = typed("\n".join(command.examples))
    assert len(examples) == len(command.examples) > 0
    for words in examples:
        assert parse(words).startswith(path)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_command_in_a_shell_block_of_the_documents_can_be_typed(document):
    blocks = re.findall(r"^```sh\n(.*?)^```", document.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    for words in typed("".join(blocks)):
        parse(words)


def test_commands_are_found_in_a_script():
    script = 'A=$(fermata a "b c") && .venv/bin/fermata d \\\n  e > f # g\neval "$(fermata h)"\nhas no fermata'
    assert list(typed(script)) == [["a", "b c"], ["d", "e"], ["h"]]


def test_a_command_that_does_not_exist_cannot_be_typed():
    with pytest.raises(click.UsageError):
        parse(["workflow", "no-such-verb", "ID"])
    with pytest.raises(click.UsageError):
        parse(["workflow", "search", "--no-such-option"])


def test_the_reference_in_docs_is_current():
    assert (checkout.ROOT / "docs/cli.md").read_text(encoding="utf-8") == reference(main), "run: make cli-reference"


def test_no_command_waits_for_what_only_some_need():
    code = "import sys; import fermata_local.cli; print(*sorted({'boto3', 'jmespath', 'moto', 'werkzeug', 'yaml'} & set(sys.modules)))"
    paths = os.pathsep.join(str(checkout.ROOT / part) for part in ("layers/fermata", "local"))
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": paths}, check=True)
    assert ran.stdout == "\n"


def test_the_verbs_of_conductors_own_command_line_are_all_here():
    assert {path.removeprefix("fermata ") for path in COMMANDS} >= {
        *(f"workflow {verb}" for verb in (
            "create", "update", "list", "get", "get-all", "delete", "start", "status", "get-execution", "search", "pause", "resume",
            "terminate", "restart", "retry", "rerun", "skip-task", "delete-execution",
        )),
        *(f"task {verb}" for verb in (
            "list", "get", "get-all", "create", "update", "delete", "poll", "update-execution", "signal", "signal-sync",
        )),
        *(f"schedule {verb}" for verb in ("list", "get", "create", "update", "delete", "pause", "resume", "search")),
        *(f"event {verb}" for verb in ("list", "get", "create", "update", "delete")),
        "secret list",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("shell", "has"), [("bash", "complete -o nosort -F"), ("zsh", "#compdef fermata"), ("fish", "complete --no-files")]
)
def test_a_shell_gets_its_completion(shell, has):
    result = CliRunner().invoke(main, ["completion", shell])
    assert result.exit_code == 0
    assert has in result.stdout
    assert "_FERMATA_COMPLETE" in result.stdout


@pytest.mark.parametrize(
    ("words", "begun", "offered"),
    [
        ("fermata workflow", "get", "get-execution"),
        ("fermata workflow search -s", "FA", "FAILED"),
        ("fermata task poll", "--t", "--timeout"),
    ],
)
def test_what_the_shell_asks_for_is_completed(words, begun, offered):
    asked = {"_FERMATA_COMPLETE": "bash_complete", "COMP_WORDS": f"{words} {begun}", "COMP_CWORD": str(len(words.split()))}
    result = CliRunner().invoke(main, prog_name="fermata", env=asked)
    assert offered in result.output.replace(",", "\n").split()
