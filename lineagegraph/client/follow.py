"""Follow a run: its tree of tasks, Spark applications and actions, drawn repeatedly."""

import time
from collections.abc import Callable, Iterable
from typing import TypeVar

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text
from rich.tree import Tree

from lineagegraph.client.formatting import plain_console, state_text
from lineagegraph.errors import GraphBusy, GraphUnreachable
from lineagegraph.graph import Graph
from lineagegraph.model.runs.states import FINAL
from lineagegraph.queries.runs.hierarchy import Branch, read_run_tree
from lineagegraph.store.jobs.hierarchy import RunTreeRow
from lineagegraph.text import duration, format_age, with_ages

T = TypeVar("T")
errors = plain_console(stderr=True)
_POLL_SECONDS = 0.5
PATIENCE_SECONDS = 2.0


def follow(
    graph: Graph,
    list_runs: Callable[[], Iterable[str]],
    is_over: Callable[[], bool],
    console: Console,
) -> None:
    """Draw the trees of runs until `is_over`; without a terminal print a line for each change.

    Runs continue while Neo4j is away: a line reports it, and reading is retried.
    """
    trees = _RunTrees(graph.with_patience(PATIENCE_SECONDS), list_runs, is_over)
    if console.is_terminal:
        _draw(trees, console)
        for run in list_runs():
            console.print(run_tree(read_run_tree(graph.outlasting(), run)))
    else:
        _write(trees, console)


class _RunTrees:
    """The trees of runs, read again on each call."""

    def __init__(
        self, graph: Graph, list_runs: Callable[[], Iterable[str]], is_over: Callable[[], bool]
    ) -> None:
        self._graph, self._list_runs, self._is_over = graph, list_runs, is_over
        self._trees: list[Branch[RunTreeRow]] = []
        self._is_away = False

    def is_over(self) -> bool:
        """Return whether nothing more will change."""
        return self._ask(self._is_over, otherwise=False)

    def trees(self) -> list[Branch[RunTreeRow]]:
        """Return the trees; the last known ones while Neo4j is away."""
        self._trees = self._ask(self._read, otherwise=self._trees)
        return self._trees

    def _read(self) -> list[Branch[RunTreeRow]]:
        return [read_run_tree(self._graph, run) for run in self._list_runs()]

    def _ask(self, what: Callable[[], T], otherwise: T) -> T:
        try:
            found = what()
        except (GraphUnreachable, GraphBusy) as error:
            if not self._is_away:
                errors.print(f"{error}; runs continue, and reading is retried")
            self._is_away = True
            return otherwise
        self._is_away = False
        return found


def is_final(graph: Graph, run_id: str) -> bool:
    """Return whether a run has ended."""
    return read_run_tree(graph, run_id, limit=1).item.state in FINAL


def run_tree(branch: Branch[RunTreeRow], depth: int = 9) -> Tree:
    """Return the tree of a run, with states and durations."""
    tree = Tree(_label(branch.item))
    for child in branch.children if depth else ():
        tree.add(run_tree(child, depth - 1))
    if branch.left_out:
        tree.add(f"and {branch.left_out:,} more")
    return tree


def _live_tree(branch: Branch[RunTreeRow]) -> Tree:
    """Return the tree without the tasks of ended runs: a screen has few lines."""
    tree = Tree(_label(branch.item))
    for child in branch.children if branch.item.state not in FINAL else ():
        tree.add(_live_tree(child))
    return tree


def _draw(trees: _RunTrees, console: Console) -> None:
    with Live(console=console, refresh_per_second=4, transient=True) as live:
        over = False
        while not over:
            over = trees.is_over()
            live.update(Group(*map(_live_tree, trees.trees())))
            time.sleep(0 if over else _POLL_SECONDS)


def _write(trees: _RunTrees, console: Console) -> None:
    said: dict[str, str] = {}
    over = False
    while not over:
        over = trees.is_over()
        for row in (row for tree in trees.trees() for row in _flat(tree)):
            if said.get(row.id) != row.state:
                said[row.id] = row.state
                console.print(_label(row))
        time.sleep(0 if over else _POLL_SECONDS)


def _flat(branch: Branch[RunTreeRow]) -> list[RunTreeRow]:
    return [branch.item, *(row for child in branch.children for row in _flat(child))]


def _label(row: RunTreeRow) -> Text:
    took = duration(row.started_at, row.ended_at)
    label = Text.assemble(state_text(row.state, row.reason), " ", (row.label, "bold"))
    if took is not None:
        label.append(f"  {format_age(took.total_seconds())}", "dim")
    if text := row.message or row.error:
        label.append(f"  {with_ages(text.splitlines()[0])}", "dim")
    return label
