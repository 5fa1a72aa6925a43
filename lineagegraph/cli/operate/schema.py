"""`schema status|apply|revert`: the migrations of the graph."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from lineagegraph.cli.connect import starting
from lineagegraph.cli.console import errors, print_json, print_table, program, results
from lineagegraph.cli.options import Json
from lineagegraph.graph import Graph, list_applied, list_migrations, migrate, revert
from lineagegraph.graph.schema import Note
from lineagegraph.settings import load_settings
from lineagegraph.store.connect import connect

app = typer.Typer(no_args_is_help=True, help="Show and change the graph's schema.")


@app.command()
def status(json: Json = False) -> None:
    """List the applied and the missing migrations."""
    with _unmigrated_graph() as graph:
        applied = {one.name: one.applied_at for one in list_applied(graph)}
    known = {step.name for step in list_migrations()}
    names = sorted(known | applied.keys())
    if json:
        print_json([{"name": n, "applied_at": applied.get(n), "known": n in known} for n in names])
        return
    rows = [
        (n, str(applied.get(n, "")), "" if n in known else "not known to this version")
        for n in names
    ]
    print_table(("MIGRATION", "APPLIED", ""), rows, "no migrations")


@app.command()
def apply() -> None:
    """Bring the graph's schema up to date; other commands do this when they start."""
    with _unmigrated_graph() as graph, _progress() as note:
        done = migrate(graph, note)
    results.print(f"{len(done)} migrations applied")


@app.command("revert")
def revert_migrations(
    to: Annotated[
        str, typer.Option(metavar="V00NN", help="Revert to this version (V0001 = the baseline).")
    ],
) -> None:
    """Revert migrations, newest first, so that an older version of the program can start."""
    with _unmigrated_graph() as graph, _progress() as note:
        done = revert(graph, to, note)
    results.print(
        f"{len(done)} migrations reverted: start the older program now, this one "
        f"applies them again (`{program()} schema apply`)"
    )


@contextmanager
def _unmigrated_graph() -> Iterator[Graph]:
    """Yield a connection to the graph without migrating it."""
    with starting() as progress:
        graph = connect(load_settings(), progress)
    with graph:
        yield graph


@contextmanager
def _progress() -> Iterator[Note]:
    """Show which migration is in progress."""
    with errors.status("reading the schema") as line:

        def note(name: str, done: int, total: int) -> None:
            line.update(f"{name} ({done + 1} of {total})" if total else name)

        yield note
