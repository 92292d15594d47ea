"""Joins the groups of commands into one command line."""

import click

from fermata_local.cli.demo import demo
from fermata_local.cli.serve import serve
from fermata_local.cli.task import task
from fermata_local.cli.workflow import workflow


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
def main() -> None:
    """Run Conductor workflows: on this laptop, or against any Conductor server.

    CONDUCTOR_SERVER_URL says which server (default http://localhost:8080/api).
    """


main.add_command(serve)
main.add_command(demo)
main.add_command(workflow)
main.add_command(task)
