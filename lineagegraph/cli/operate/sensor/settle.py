"""`sensor settle`: end a wait by hand."""

from typing import Annotated

import typer

from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import print_json, results
from lineagegraph.cli.options import Author, Json, RunId
from lineagegraph.errors import SettleRefused
from lineagegraph.settings import load_settings
from lineagegraph.waits.by_hand import HandOutcome, settle_open_waits


def settle(
    run: RunId,
    reason: Annotated[str, typer.Option(help="Reason, shown with the wait.")],
    outcome: Annotated[
        HandOutcome, typer.Option("--as", help="Outcome of the wait.")
    ] = HandOutcome.SUCCESS,
    author: Author = None,
    json: Json = False,
) -> None:
    """End the open waits of a run and its tasks by hand, with a reason."""
    settings = load_settings()
    with connected(settings) as graph:
        settled = []
        for wait in settle_open_waits(graph, settings, run, outcome, reason, author):
            settled.append({"run_id": wait.run_id, "job": wait.job, "outcome": outcome.value})
            if not json:
                results.print(f"{wait.job or wait.run_id}: {outcome.value}")
        if not settled:
            raise SettleRefused(
                f"run {run} has no open wait: `lineagegraph sensor list` lists waits"
            )
    if json:
        print_json(settled)
