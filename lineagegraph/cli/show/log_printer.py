"""Print the logs of runs, and what is appended to them."""

from collections.abc import Iterator
from pathlib import Path

from rich.text import Text

from lineagegraph.cli.console import results
from lineagegraph.cli.show.followed_log import FollowedLog
from lineagegraph.errors import NotFound
from lineagegraph.execution.logs import own_logs
from lineagegraph.graph import Graph
from lineagegraph.queries.runs.hierarchy import Branch
from lineagegraph.runs.task_logs import read_log
from lineagegraph.store.jobs.hierarchy import RunTreeRow


class LogPrinter:
    """Prints each log once, and at each call only its new lines, below the name of their log."""

    def __init__(self, graph: Graph, logs: Path, attempt: int | None) -> None:
        self._graph = graph
        self._logs = logs
        self._attempt = attempt
        self._followed: dict[Path, FollowedLog] = {}
        self._remote: set[str] = set()
        self._last = ""
        self.found = False

    def print_new(self, tree: Branch[RunTreeRow]) -> None:
        """Print the new lines of all runs of a tree."""
        for row in _rows(tree):
            if row.log is None:
                continue
            files = self._files(Path(row.log))
            for file in files:
                self._print_file(file)
            if not files and row.id not in self._remote:
                self._print_kept(row)

    def _files(self, stated: Path) -> list[Path]:
        files = own_logs(stated, self._logs)
        if stated.is_dir():
            return list(files.values())
        return [path for number, path in files.items() if self._attempt in (None, number)]

    def _print_file(self, path: Path) -> None:
        is_first = path not in self._followed
        text = self._followed.setdefault(path, FollowedLog(path)).read_new()
        if text or is_first:
            self._head(str(path))
            results.out(text, end="", highlight=False)

    def _print_kept(self, row: RunTreeRow) -> None:
        try:
            found = read_log(self._graph, self._logs, row.id, self._attempt)
        except NotFound:
            return
        if found.host:
            self._remote.add(row.id)
            self._head(f"{row.name}, attempt {found.attempt}, from host {found.host}")
            results.out(found.text, end="", highlight=False)

    def _head(self, text: str) -> None:
        self.found = True
        if text != self._last:
            results.print(Text(f"── {text}", "dim"))
            self._last = text


def choose_task(tree: Branch[RunTreeRow], task: str) -> Branch[RunTreeRow]:
    """Return the part of a run's tree with a task, by its path or the end of it."""
    named = list(_named(tree, ""))
    found = [
        each
        for path, each in named
        if f".{path}".endswith(f".{task}") or f".{each.item.name}".endswith(f".{task}")
    ]
    if not found:
        names = ", ".join(path for path, _ in named[1:])
        raise NotFound(f"run {tree.item.id} has no task {task!r}: it has {names or 'none'}")
    # Of a task that was started again, the newest run.
    return found[-1]


def _branches(tree: Branch[RunTreeRow]) -> Iterator[Branch[RunTreeRow]]:
    yield tree
    for child in tree.children:
        yield from _branches(child)


def _named(tree: Branch[RunTreeRow], path: str) -> Iterator[tuple[str, Branch[RunTreeRow]]]:
    """Yield each part of a run's tree with the path of its task below the run."""
    yield path, tree
    for child in tree.children:
        name = child.item.task or child.item.simple_name
        yield from _named(child, f"{path}.{name}" if path else name)


def _rows(tree: Branch[RunTreeRow]) -> Iterator[RunTreeRow]:
    return (branch.item for branch in _branches(tree))
