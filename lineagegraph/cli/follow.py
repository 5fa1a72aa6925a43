"""A run as it goes on: its tree of tasks, Spark applications and actions, drawn again and again."""

import time
from collections.abc import Callable, Iterable

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text
from rich.tree import Tree

from lineagegraph.cli.look import seconds, state_text
from lineagegraph.explore import read_run_tree
from lineagegraph.explore.hierarchy import Branch, duration
from lineagegraph.graph import Graph
from lineagegraph.model.states import FINAL
from lineagegraph.store.hierarchy import RunTreeRow

_POLL_SECONDS = 0.5


def follow(
    graph: Graph,
    list_runs: Callable[[], Iterable[str]],
    is_over: Callable[[], bool],
    console: Console,
) -> None:
    """Draw the trees of runs until `is_over`; where nobody looks, write a line a change."""
    if console.is_terminal:
        _draw(graph, list_runs, is_over, console)
    else:
        _write(graph, list_runs, is_over, console)


def is_final(graph: Graph, run_id: str) -> bool:
    """Say whether a run has ended."""
    return read_run_tree(graph, run_id, limit=1).item.state in FINAL


def run_tree(branch: Branch[RunTreeRow], depth: int = 9) -> Tree:
    """Return the tree of a run, with states and durations."""
    tree = Tree(_label(branch.item))
    for child in branch.children if depth else ():
        tree.add(run_tree(child, depth - 1))
    return tree


def _live_tree(branch: Branch[RunTreeRow]) -> Tree:
    """Return the tree without what is below ended runs: a screen has few lines."""
    tree = Tree(_label(branch.item))
    for child in branch.children if branch.item.state not in FINAL else ():
        tree.add(_live_tree(child))
    return tree


def _draw(
    graph: Graph,
    list_runs: Callable[[], Iterable[str]],
    is_over: Callable[[], bool],
    console: Console,
) -> None:
    with Live(console=console, refresh_per_second=4, transient=True) as live:
        over = False
        while not over:
            over = is_over()
            live.update(Group(*(_live_tree(read_run_tree(graph, run)) for run in list_runs())))
            time.sleep(0 if over else _POLL_SECONDS)
    for run in list_runs():
        console.print(run_tree(read_run_tree(graph, run)))


def _write(
    graph: Graph,
    list_runs: Callable[[], Iterable[str]],
    is_over: Callable[[], bool],
    console: Console,
) -> None:
    said: dict[str, str] = {}
    over = False
    while not over:
        over = is_over()
        for run in list_runs():
            for row in _flat(read_run_tree(graph, run)):
                if said.get(row.id) != row.state:
                    said[row.id] = row.state
                    console.print(_label(row))
        time.sleep(0 if over else _POLL_SECONDS)


def _flat(branch: Branch[RunTreeRow]) -> list[RunTreeRow]:
    return [branch.item, *(row for child in branch.children for row in _flat(child))]


def _label(row: RunTreeRow) -> Text:
    took = duration(row.started_at, row.ended_at)
    label = Text.assemble(state_text(row.state), " ", (row.name, "bold"))
    if took is not None:
        label.append(f"  {seconds(took)}", "dim")
    if row.message:
        label.append(f"  {row.message}", "dim")
    return label
