"""Joins the groups of commands into one command line."""

import click

from fermata_local.cli.demo import demo
from fermata_local.cli.key import key
from fermata_local.cli.schedule import schedule
from fermata_local.cli.serve import serve
from fermata_local.cli.task import task
from fermata_local.cli.workflow import workflow


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
def main() -> None:
    """Run Conductor workflows: on this laptop, or against any Conductor server.

    CONDUCTOR_SERVER_URL says which server (default http://localhost:8080/api). One that asks for a key gets CONDUCTOR_AUTH_KEY and
    CONDUCTOR_AUTH_SECRET; requests to a deployed stack are signed with your AWS credentials when neither is set.
    """


main.add_command(serve)
main.add_command(demo)
main.add_command(workflow)
main.add_command(task)
main.add_command(key)
main.add_command(schedule)
