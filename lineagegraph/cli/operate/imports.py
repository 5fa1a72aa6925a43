"""`import marquez|list|undo`: the history of another lineage server."""

from datetime import UTC, datetime
from typing import Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from lineagegraph.admin.imports import MarquezSource, import_events, undo_import
from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import errors, print_json, print_table, program, results
from lineagegraph.cli.options import Json
from lineagegraph.settings import load_settings
from lineagegraph.store.admin import imports

app = typer.Typer(no_args_is_help=True, help="Take over the history of another lineage server.")


@app.command()
def marquez(
    url: Annotated[str, typer.Option(help="Where it answers, as http://localhost:5000.")],
    namespace: Annotated[
        list[str] | None, typer.Option(help="Only jobs of this one; may be repeated.")
    ] = None,
    since: Annotated[
        datetime | None, typer.Option(help="Only events from then on, in UTC.")
    ] = None,
) -> None:
    """Read a Marquez over its API; what was cut short goes on where it stopped."""
    columns = (TextColumn("events"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    bar = Progress(*columns, console=errors, transient=True, disable=not errors.is_terminal)
    with connected(load_settings()) as graph, MarquezSource(url) as source, bar:
        task = bar.add_task("events", total=None)
        done = import_events(
            graph,
            source,
            namespaces=frozenset(namespace or ()),
            since=since.replace(tzinfo=UTC) if since else None,
            note=lambda read, total: bar.update(task, completed=read, total=total),
        )
    results.print(f"{done.events} events, {done.refused} refused")
    results.print(f"`{program()} import undo {done.id}` takes it back")


@app.command("list")
def list_(json: Json = False) -> None:
    """List the imports, the latest first."""
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
    import_id: Annotated[str, typer.Argument(metavar="ID", help="Its id, or the start of it.")],
) -> None:
    """Take an import back, as if it had never been; it can be cut short and asked for again."""
    with connected(load_settings()) as graph, errors.status("looking at the import") as line:
        undo_import(graph, import_id, line.update)
    results.print("undone")
