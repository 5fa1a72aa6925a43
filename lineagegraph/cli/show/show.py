"""`show` and `logs`: everything about one run."""

import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.text import Text

from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import errors, print_json, print_table, print_tree, results
from lineagegraph.cli.formatting import clock, count, reason, size, state_text
from lineagegraph.cli.options import Json, RunId
from lineagegraph.cli.show.in_browser import in_browser
from lineagegraph.cli.show.log_printer import LogPrinter, choose_task
from lineagegraph.client.follow import run_tree
from lineagegraph.execution.logs import own_logs
from lineagegraph.model.runs.states import FINAL
from lineagegraph.neo4j_server import browser_link
from lineagegraph.queries.datasets.dataset_facts import (
    list_dataset_facts,
    list_reaching,
    read_dataset,
)
from lineagegraph.queries.runs.hierarchy import Branch
from lineagegraph.queries.runs.run_facts import Fact, list_facts
from lineagegraph.queries.runs.runs import WholeRun, read_run
from lineagegraph.settings import Settings, load_settings
from lineagegraph.store.jobs.hierarchy import RunTreeRow
from lineagegraph.store.runs.history import DatasetUseRow
from lineagegraph.text import format_age

_DATASET = "dataset:"
_FOLLOW_SECONDS = 1.0


def show(
    run: Annotated[
        str,
        typer.Argument(
            metavar="RUN", help="Run id, or a unique start or end of it; or dataset:NAMESPACE:NAME."
        ),
    ],
    log: Annotated[bool, typer.Option("--log", help="Also print its log files.")] = False,
    json: Json = False,
) -> None:
    """Show a run, with its tasks, parameters, data and the runs it triggered; or a dataset."""
    settings = load_settings()
    if run.startswith(_DATASET):
        _show_dataset(settings, run, json)
        return
    with connected(settings) as graph:
        whole = read_run(graph, run)
    if json:
        link = browser_link(settings, "run", whole.run.id)
        print_json({**msgspec.to_builtins(whole), "browser": link})
        return
    _print_facts(whole, in_browser(settings, "run", whole.run.id))
    print_tree(run_tree(whole.tree))
    _print_data(whole)
    if log:
        _print_logs(whole.tree)


def _show_dataset(settings: Settings, name: str, json: bool) -> None:
    with connected(settings) as graph:
        found = read_dataset(graph, name)
        reaching = list_reaching(graph, found)
    if json:
        print_json(found)
        return
    for fact, value in (*list_dataset_facts(found), *reaching):
        results.print(Text.assemble((f"{fact:<12}", "dim"), value))
    rows = ((column.name, column.type or "") for column in found.row.fields)
    print_table(("COLUMN", "TYPE"), rows, "")


def logs(
    run: RunId,
    task: Annotated[str | None, typer.Option(help="Only this task, by its path.")] = None,
    attempt: Annotated[
        int | None, typer.Option(min=1, help="Only this attempt of each task.")
    ] = None,
    follow: Annotated[
        bool, typer.Option("--follow", "-f", help="Print new lines until the run ends.")
    ] = False,
) -> None:
    """Print the logs of a run and of all runs below it.

    Of logs on other hosts, the graph has head and tail of the newest finished attempt.
    """
    settings = load_settings()
    with connected(settings) as graph:
        whole = read_run(graph, run)
        tree = choose_task(whole.tree, task) if task else whole.tree
        shown = LogPrinter(graph, settings.home / "logs", attempt)
        shown.print_new(tree)
        while follow and read_run(graph, tree.item.id).run.state not in FINAL:
            time.sleep(_FOLLOW_SECONDS)
            # The tasks of a run come into being meanwhile.
            shown.print_new(read_run(graph, tree.item.id).tree)
        if follow:
            shown.print_new(read_run(graph, tree.item.id).tree)
    if not shown.found:
        errors.print(f"run {tree.item.id} has no log")


def _print_facts(whole: WholeRun, browser: Text | None) -> None:
    for name, value in _facts(whole, browser):
        results.print(Text.assemble((f"{name:<12}", "dim"), value))


def _facts(whole: WholeRun, browser: Text | None) -> Iterator[tuple[str, str | Text]]:
    for name, value in list_facts(whole):
        yield name, _fact(name, value)
    if whole.run.version:
        yield "as it was", f"lineagegraph as-was {whole.run.id}"
    if browser:
        yield "in Browser", browser
    for log in _log_files(whole.tree):
        if (executed := log.with_suffix(".ipynb")).is_file():
            yield "notebook", str(executed)


def _fact(name: str, value: Fact) -> str | Text:
    match value:
        case datetime():
            return clock(value)
        case timedelta():
            return format_age(value.total_seconds())
    return state_text(value) if name == "state" else reason(value)


def _print_data(whole: WholeRun) -> None:
    uses = [("read", use) for use in whole.reads] + [("wrote", use) for use in whole.writes]
    if uses:
        rows = (_use(what, use) for what, use in uses)
        print_table(("DATA", "DATASET", "ROWS", "SIZE", "FILES"), rows, "")


def _use(what: str, use: DatasetUseRow) -> tuple[str, ...]:
    name = f"{use.namespace}:{use.name}"
    return what, name, count(use.row_count), size(use.size), count(use.file_count)


def _print_logs(tree: Branch[RunTreeRow]) -> bool:
    paths = list(dict.fromkeys(_log_files(tree)))
    for path in paths:
        results.print(Text(f"── {path}", "dim"))
        with path.open(encoding="utf-8", errors="replace") as lines:
            for line in lines:
                results.out(line, end="", highlight=False)
    return bool(paths)


def _log_files(tree: Branch[RunTreeRow]) -> Iterator[Path]:
    """Yield the log files: a run's log is one file or a folder of files."""
    if tree.item.log:
        yield from own_logs(Path(tree.item.log), load_settings().home / "logs").values()
    for child in tree.children:
        yield from _log_files(child)
