"""What every command has: examples in its help, and a tidy end when nobody reads or somebody presses Ctrl-C."""

import os
import sys
from collections.abc import Sequence
from typing import Any

import click

from fermata_local.cli.connection import server_flags
from fermata_local.cli.exits import Exit


class Verb(click.Command):
    """A command with examples, each one a line as it is typed."""

    def __init__(self, *args: Any, examples: Sequence[str] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.examples = tuple(examples)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        _write(self.examples, formatter)
        super().format_epilog(ctx, formatter)


class Noun(click.Group):
    """A group of verbs. It takes the flags that name a server as well, unshown: people write them where they come to mind."""

    command_class = Verb

    def __init__(self, *args: Any, examples: Sequence[str] = (), shown_flags: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.examples = tuple(examples)
        self.params.extend(server_flags(hidden=not shown_flags))

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        _write(self.examples, formatter)
        super().format_epilog(ctx, formatter)


class CommandLine(Noun):
    """The whole command line."""

    group_class = Noun

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            # What is left in the buffer must not fail again when Python closes it.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            ctx.exit(Exit.BROKEN_PIPE)
        except KeyboardInterrupt:
            click.echo("\nStopped.", err=True)
            ctx.exit(Exit.INTERRUPTED)


def _write(examples: Sequence[str], formatter: click.HelpFormatter) -> None:
    if examples:
        with formatter.section("Examples"):
            for example in examples:
                formatter.write(f"{'':{formatter.current_indent}}{example}\n")
