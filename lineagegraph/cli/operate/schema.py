"""`schema status|apply|revert`: which migrations the graph has."""

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

app = typer.Typer(no_args_is_help=True, help="Look at the graph's schema, and change it.")


@app.command()
def status(json: Json = False) -> None:
    """List the migrations, those that the graph has and those that it lacks."""
    with _as_it_is() as graph:
        applied = {one.name: one.applied_at for one in list_applied(graph)}
    known = {step.name for step in list_migrations()}
    names = sorted(known | applied.keys())
    if json:
        print_json([{"name": n, "applied_at": applied.get(n), "known": n in known} for n in names])
        return
    rows = [(n, str(applied.get(n, "")), "" if n in known else "of a newer program") for n in names]
    print_table(("MIGRATION", "APPLIED", ""), rows, "no migrations")


@app.command()
def apply() -> None:
    """Bring the graph up to date, as every other command does when it starts."""
    with _as_it_is() as graph, _said() as note:
        done = migrate(graph, note)
    results.print(f"{len(done)} migrations applied")


@app.command("revert")
def take_back(
    to: Annotated[str, typer.Option(metavar="V00NN", help="The last to stay; V0000 for none.")],
) -> None:
    """Take migrations back, the newest first, so that an older program can start."""
    with _as_it_is() as graph, _said() as note:
        done = revert(graph, to, note)
    results.print(
        f"{len(done)} migrations taken back: start the older program now, this one "
        f"applies them again (`{program()} schema apply`)"
    )


@contextmanager
def _as_it_is() -> Iterator[Graph]:
    """Give a connection to the graph whatever its schema is."""
    with starting() as progress:
        graph = connect(load_settings(), progress)
    with graph:
        yield graph


@contextmanager
def _said() -> Iterator[Note]:
    """Show which step is being done, where somebody looks, or else a line for each."""
    with errors.status("looking at the schema") as line:

        def note(what: str, done: int, total: int) -> None:
            line.update(f"{what} ({done + 1} of {total})" if total else what)

        yield note
