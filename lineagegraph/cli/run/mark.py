"""`mark`, `unmark`, `ack` and `annotate`: what a person says of a run."""

from enum import StrEnum
from typing import Annotated

import typer

from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import results
from lineagegraph.cli.options import Author, RunId
from lineagegraph.cli.show.log_printer import choose_task
from lineagegraph.graph import Graph
from lineagegraph.model.runs.states import RunState
from lineagegraph.queries.find.find import find_run
from lineagegraph.queries.runs.hierarchy import WHOLE, read_run_tree
from lineagegraph.runs.acknowledge import acknowledge_run, unacknowledge_run
from lineagegraph.runs.annotate import annotate_run
from lineagegraph.runs.mark import mark_run, unmark_run
from lineagegraph.settings import load_settings


class MarkedAs(StrEnum):
    """The words for the states that a mark can give."""

    SUCCEEDED = "succeeded"
    FAILED = "failed"


_STATES = {MarkedAs.SUCCEEDED: RunState.COMPLETED, MarkedAs.FAILED: RunState.FAILED}
Task = Annotated[str | None, typer.Option(help="A task of the run, by its path.")]


def mark(
    run: RunId,
    state: Annotated[MarkedAs, typer.Argument(help="Its new state.")],
    reason: Annotated[str, typer.Option(help="Reason, shown with the run.")],
    task: Task = None,
    author: Author = None,
) -> None:
    """Mark a run or task that has ended as succeeded or failed; triggers fire for that."""
    settings = load_settings()
    with connected(settings) as graph:
        found = _find(graph, run, task)
        mark_run(
            graph,
            found,
            _STATES[state],
            reason,
            author=author,
            max_event_age=settings.max_event_age,
            routes=settings.notify,
        )
    results.print(f"run {found} is marked as {state}")


def unmark(run: RunId, task: Task = None) -> None:
    """Take the mark of a run or task back: it has its own state again."""
    settings = load_settings()
    with connected(settings) as graph:
        found = _find(graph, run, task)
        restored = unmark_run(
            graph, found, max_event_age=settings.max_event_age, routes=settings.notify
        )
    results.print(f"run {found} is {restored} again")


def ack(
    run: RunId,
    note: Annotated[str | None, typer.Option(help="Note for others, shown with the run.")] = None,
    undo: Annotated[bool, typer.Option("--undo", help="Take it back.")] = False,
    author: Author = None,
) -> None:
    """Acknowledge a failure: others see who takes care of it."""
    with connected(load_settings()) as graph:
        found = find_run(graph, run).id
        if undo:
            unacknowledge_run(graph, found)
        else:
            acknowledge_run(graph, found, note, author=author)
    results.print(f"run {found} is {'not ' if undo else ''}acknowledged")


def annotate(
    run: RunId,
    note: Annotated[str, typer.Argument(help="The note: one line, shown with the run.")],
    task: Task = None,
    author: Author = None,
) -> None:
    """Add a note to a run or task, in any state; earlier notes stay."""
    with connected(load_settings()) as graph:
        found = _find(graph, run, task)
        annotate_run(graph, found, note, author=author)
    results.print(f"run {found} has the note")


def _find(graph: Graph, run: str, task: str | None) -> str:
    found = find_run(graph, run).id
    return choose_task(read_run_tree(graph, found, limit=WHOLE), task).item.id if task else found
