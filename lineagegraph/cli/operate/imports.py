"""`import marquez|list|undo`: import from another lineage server."""

from datetime import UTC, datetime
from functools import cache
from typing import Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from lineagegraph.admin.imports import MarquezSource, import_events, undo_import
from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import errors, print_json, print_table, program, results
from lineagegraph.cli.options import Json
from lineagegraph.settings import load_settings
from lineagegraph.store.admin import imports

app = typer.Typer(no_args_is_help=True, help="Import the history of another lineage server.")


@app.command()
def marquez(
    url: Annotated[str, typer.Option(help="Base URL, such as http://localhost:5000.")],
    namespace: Annotated[
        list[str] | None, typer.Option(help="Only jobs of this namespace (repeatable).")
    ] = None,
    since: Annotated[
        datetime | None, typer.Option(help="Only events from this time on (UTC).")
    ] = None,
) -> None:
    """Import a Marquez server over its API; an interrupted import resumes when repeated."""
    columns = (TextColumn("events"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    bar = Progress(*columns, console=errors, transient=True, disable=not errors.is_terminal)
    with connected(load_settings()) as graph, MarquezSource(url) as source, bar:
        task = bar.add_task("events", total=None)
        tell = cache(lambda: errors.print("another process imports from this server: waiting"))
        done = import_events(
            graph,
            source,
            namespaces=frozenset(namespace or ()),
            since=since.replace(tzinfo=UTC) if since else None,
            note=lambda read, total: bar.update(task, completed=read, total=total),
            wait=tell,
        )
    results.print(f"{done.events} events, {done.refused} refused")
    results.print(f"`{program()} import undo {done.id}` reverts it")


@app.command("list")
def list_(json: Json = False) -> None:
    """List the imports, newest first."""
    with connected(load_settings()) as graph:
        found = graph.read(imports.list_imports)
    if json:
        print_json(found)
        return
    columns = ("ID", "FROM", "STATE", "BEGUN", "EVENTS", "REFUSED")
    rows = [
        (one.id, one.url, one.state, f"{one.started_at:%F %T}", str(one.events), str(one.refused))
        for one in found
    ]
    print_table(columns, rows, "no imports")


@app.command()
def undo(
    import_id: Annotated[str, typer.Argument(metavar="ID", help="Import id, or a unique prefix.")],
) -> None:
    """Undo an import completely; if interrupted, run it again to continue."""
    with connected(load_settings()) as graph, errors.status("checking the import") as line:
        undo_import(graph, import_id, line.update)
    results.print("undone")
