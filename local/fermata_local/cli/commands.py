"""Joins the groups of commands into one command line."""

import click

from fermata_local.cli.airpipe import airpipe
from fermata_local.cli.completion import completion
from fermata_local.cli.demo import demo
from fermata_local.cli.event import event
from fermata_local.cli.key import key
from fermata_local.cli.nouns import CommandLine
from fermata_local.cli.schedule import schedule
from fermata_local.cli.secret import secret
from fermata_local.cli.serve import serve
from fermata_local.cli.task import task
from fermata_local.cli.ui import ui
from fermata_local.cli.workflow import workflow


@click.group(
    cls=CommandLine,
    shown_flags=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    examples=(
        "fermata demo",
        "fermata serve --clock skip",
        "fermata workflow start -w my_flow -i @input.json --watch",
        "fermata --profile prod workflow search -s FAILED -o table",
    ),
)
@click.version_option(package_name="fermata", message="%(prog)s %(version)s")
def main() -> None:
    """Run Conductor workflows: on this laptop, or against any Conductor server.

    Which server: the flags below, else a named profile, else the environment, else ~/.conductor-cli/config.yaml, as with Conductor's own
    command line. Requests to a deployed stack are signed with your AWS credentials when there is neither key nor token.

    Exit codes: 0 done, 1 the run is not COMPLETED or the definition not valid, 2 wrong usage, 3 not found, 4 refused, 5 no usable answer.
    """


main.add_command(serve)
main.add_command(demo)
main.add_command(ui)
main.add_command(airpipe)
main.add_command(workflow)
main.add_command(task)
main.add_command(schedule)
main.add_command(event)
main.add_command(secret)
main.add_command(key)
main.add_command(completion)
