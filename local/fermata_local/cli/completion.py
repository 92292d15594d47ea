"""`fermata completion`: what a shell needs to complete commands and options."""

import click
from click.shell_completion import get_completion_class

from fermata_local.cli.nouns import Verb

VARIABLE = "_FERMATA_COMPLETE"  # what click looks for, made from the program's name


@click.command(
    cls=Verb,
    examples=(
        'eval "$(fermata completion bash)"    # in ~/.bashrc',
        'eval "$(fermata completion zsh)"     # in ~/.zshrc, after compinit',
    ),
)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the script that completes commands and options in SHELL (bash from 4.4 on)."""
    made = get_completion_class(shell)
    assert made is not None, "click has all three"
    click.echo(made(ctx.find_root().command, {}, "fermata", VARIABLE).source())
