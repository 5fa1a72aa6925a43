"""`sensor settle`: end a wait by hand."""

from typing import Annotated

import typer

from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import results
from lineagegraph.cli.options import Author, RunId
from lineagegraph.errors import SettleRefused
from lineagegraph.queries.sensors import read_waits_of
from lineagegraph.settings import load_settings
from lineagegraph.waits.by_hand import HandOutcome, settle_wait


def settle(
    run: RunId,
    reason: Annotated[str, typer.Option(help="Reason, shown with the wait.")],
    outcome: Annotated[
        HandOutcome, typer.Option("--as", help="Outcome of the wait.")
    ] = HandOutcome.SUCCESS,
    author: Author = None,
) -> None:
    """End the open waits of a run and its tasks by hand, with a reason."""
    settings = load_settings()
    with connected(settings) as graph:
        found = [one.wait for one in read_waits_of(graph, run) if one.wait.outcome is None]
        if not found:
            raise SettleRefused(
                f"run {run} has no open wait: `lineagegraph sensor list` lists waits"
            )
        for wait in found:
            settle_wait(graph, settings, wait.run_id, outcome, reason, author)
            results.print(f"{wait.job or wait.run_id}: {outcome.value}")
