"""Writes docs/cli.md: what a person has to know first, then every command's own help."""

from collections.abc import Iterator

import click

WIDTH = 110

_FIRST = """# The command line

`fermata` speaks Conductor's REST, so it works with any Conductor server, and takes the verbs and flags of Conductor's own command line.
In a clone it is `.venv/bin/fermata`. Everything below "Commands" is the commands' own help (`make cli-reference` writes this file anew).

## Which server

Sources are not mixed. The first of these that is there counts:

1. `--config FILE`, or the profile of `--profile NAME` or `CONDUCTOR_PROFILE`: `~/.conductor-cli/config-NAME.yaml`;
2. the environment, when any of its variables is set;
3. `~/.conductor-cli/config.yaml`;
4. `http://localhost:8080/api`, without a key.

A flag wins over its source, wherever in the command it stands. A flag about keys replaces everything that the source says of keys.

| flag | variable | in the file | |
|---|---|---|---|
| `--server` | `CONDUCTOR_SERVER_URL` | `server` | the address; `/api` is added when it is missing |
| `--auth-key` | `CONDUCTOR_AUTH_KEY` | `auth-key` | a key's id; a token is got with it |
| `--auth-secret` | `CONDUCTOR_AUTH_SECRET` | `auth-secret` | its secret; other users of a machine can see flags |
| `--auth-token` | `CONDUCTOR_AUTH_TOKEN` | `auth-token` | a token; it is used rather than a key |

```yaml
# ~/.conductor-cli/config-prod.yaml
server: https://a1b2c3.execute-api.eu-west-1.amazonaws.com/api
auth-key: fk-...
auth-secret: fs-...
```

Requests to an address of API Gateway are signed with your AWS credentials when there is neither key nor token: a deployed stack with
`ApiAuthorization=AWS_IAM` needs `--server` and an AWS profile. No secret of yours is ever printed; `--verbose` shows method, address and
status.

`fermata ui` takes the web UI to any of these servers: it serves the pages on this machine and asks with these credentials.
[What it refuses](security.md#fermata-ui).

## What comes out

Results go to standard output, everything else to standard error. Answers are JSON; `-o table` makes a table of the fields that tell records
apart, with times in UTC. `--query` takes a [JMESPath](https://jmespath.org) expression, as the AWS command line does,
and text that it picks is printed without quotes:

```sh
ID=$(fermata workflow start -w my_flow)
fermata workflow status "$ID" --query status
fermata workflow search -s FAILED --query '[].workflowId | join(`" "`, @)'
```

`--watch` follows a run: a line for each poll and each finished task, whom it waits for, and on a terminal a last line that counts down to
the next poll. A server that goes away for some seconds is waited for. Ctrl-C ends the watching, not the run.

| exit code | |
|---|---|
| 0 | done; with `--watch`, `--sync` and `workflow test`: the run is COMPLETED |
| 1 | the run is not COMPLETED, or the definition is not valid |
| 2 | wrong usage: an option, a file, JSON or JMESPath that cannot be read |
| 3 | not found |
| 4 | refused: no key or the wrong role, a wrong state, bad input. The message names the field |
| 5 | no usable answer: no server, none in time, or it broke. Trying again may help |
| 130, 141 | Ctrl-C; nobody reads the output any more |

## Completion

```sh
eval "$(fermata completion bash)"    # in ~/.bashrc
eval "$(fermata completion zsh)"     # in ~/.zshrc, after compinit
```

## Beside Conductor's command line

| there | here |
|---|---|
| tables by default, `--json` for JSON | JSON by default, `-o table` for tables; `--json` is accepted |
| asks before it deletes, `-y` to go on | never asks; `-y` is accepted |
| `--server-type`, without which `task signal` and `schedule` are refused | one kind of server; the flag is accepted |
| exit 1 for everything | the table above |
| `server`, `worker`, `webhook`, `config save` | not here: `fermata serve` is the local server, workers are an SDK's, you write the file |
| `jump`, `update-state` | not in open-source Conductor, and not here |

## Commands
"""


def reference(main: click.Group) -> str:
    """Return docs/cli.md."""
    root = main.make_context("fermata", [], resilient_parsing=True, terminal_width=WIDTH, max_content_width=WIDTH)
    return _FIRST + "".join(_sections(main, root))


def commands(group: click.Group, context: click.Context) -> Iterator[tuple[click.Command, click.Context]]:
    """Yield the group and everything in it, each with its context, in the order of its help."""
    yield group, context
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None, "it was just listed"
        inner = click.Context(command, info_name=name, parent=context, terminal_width=WIDTH, max_content_width=WIDTH)
        if isinstance(command, click.Group):
            yield from commands(command, inner)
        else:
            yield command, inner


def _sections(main: click.Group, root: click.Context) -> Iterator[str]:
    for command, context in commands(main, root):
        level = "###" if isinstance(command, click.Group) else "####"
        yield f"\n{level} {context.command_path}\n\n```\n{command.get_help(context)}\n```\n"
