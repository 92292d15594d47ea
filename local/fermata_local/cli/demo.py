"""`fermata demo`: one slow job, submitted, polled and branched upon, in a few seconds."""

import json
import time
from collections.abc import Mapping
from contextlib import ExitStack
from datetime import timedelta
from typing import Any

import click

from fermata_local.cli import watch
from fermata_local.cli.conductor import Conductor, part
from fermata_local.cli.nouns import Verb

TIME_LIMIT = timedelta(hours=2)


@click.command(cls=Verb, examples=("fermata demo", "fermata demo --polls 20", "fermata demo --fail"))
@click.option("--polls", type=click.IntRange(1), default=4, show_default=True, help="The poll at which the job is done.")
@click.option("--fail", is_flag=True, help="Let the job fail, to see the other branch; exit 1, as the run does not complete.")
@click.pass_context
def demo(ctx: click.Context, polls: int, fail: bool) -> None:  # noqa: FBT001 - click passes options by name
    """Play the example on a local cloud, waiting skipped."""
    click.echo("A slow job API gets a job; one HTTP_POLL task looks after it every minute. The minutes in between are skipped.\n")
    began = time.perf_counter()
    run = _run(polls, "fails" if fail else "normal")
    click.echo()
    code = watch.conclude(run)
    minutes = (run["endTime"] - run["createTime"]) / 60_000
    click.echo(f"\n{minutes:.0f} minutes of waiting took {time.perf_counter() - began:.1f} s. No AWS, no worker, no loop.")
    ctx.exit(code)


def _run(polls: int, behaviour: str) -> Mapping[str, Any]:
    """Play the whole demo and return the run as it ended."""
    from fermata_local import checkout, server
    from fermata_local.clocks import skipping_from_now
    from fermata_local.cloud import SKIPPING_SWEEP, LocalCloud

    with ExitStack() as opened:
        jobs = opened.enter_context(checkout.load_job_api().serve(polls_to_finish=polls, behaviour=behaviour))
        cloud = opened.enter_context(LocalCloud(skipping_from_now(), sweep_every=SKIPPING_SWEEP))
        conductor = Conductor(opened.enter_context(server.serving(cloud.http)))
        click.echo(f"  server   {conductor.url} (the functions that `make deploy` puts on AWS)")
        click.echo(f"  job API  {jobs.url}")
        definition = json.loads(checkout.EXAMPLE_DEFINITION.read_text(encoding="utf-8"))
        conductor.post("/metadata/workflow", definition, overwrite=True)
        workflow_id = conductor.post(f"/workflow/{part(definition['name'])}", {"jobApiUrl": jobs.url, "dataset": "orders"})
        click.echo(f"  started  {definition['name']} {workflow_id}\n")
        view = watch.View(conductor, str(workflow_id), vendor_state=lambda poll: _vendor_state(jobs, poll))
        cloud.run_until(lambda: view.look()["status"] in watch.TERMINAL, TIME_LIMIT)
        return view.look()


def _vendor_state(jobs: Any, poll: int) -> str | None:
    """Return what the job API said at that poll of its only job."""
    [job_id] = jobs.jobs.polls()
    history = jobs.jobs.history(job_id).body["history"]
    state: str | None = history[poll - 1]["state"] if poll <= len(history) else None
    return state
