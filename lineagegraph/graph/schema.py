"""The graph's schema: a baseline, and numbered migrations that follow it in order, each once.

`cypher/schema/V0001__baseline.cypher` has the constraints and indexes of a new graph. A migration
is the next file beside it, and its way back has the same name in `cypher/schema/back`. Statements
end with `;` at the end of a line.

Each statement commits by itself and can be run again, so the next process completes a migration
that was cut short. One that changes data does so in bounded batches (`CALL … IN TRANSACTIONS`) and
keeps the data usable for programs of the version before.

The graph keeps the ways back too, for programs that are older than the graph.
"""

import hashlib
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from tenacity import retry, retry_if_exception_type, stop_after_attempt, wait_exponential

from lineagegraph.errors import GraphBusy, NotFound, SchemaMismatch
from lineagegraph.graph import migrations
from lineagegraph.graph.connection import Graph
from lineagegraph.graph.migrations import Applied
from lineagegraph.graph.schema_lock import schema_lock
from lineagegraph.graph.statements import cypher_folder

Note = Callable[[str, int, int], None]
_POLL_SECONDS = 0.1
_STATEMENT_END = re.compile(r";[ \t]*$", re.MULTILINE)


class Migration(NamedTuple):
    """The baseline or a migration; only the baseline has no way back."""

    name: str
    text: str
    back: str

    @property
    def checksum(self) -> str:
        """The hash that shows whether a migration was edited after it was applied."""
        return hashlib.sha256(self.text.encode()).hexdigest()


def list_migrations(folder: Path | None = None) -> list[Migration]:
    """Return the baseline and the migrations of this program, in order."""
    folder = folder or cypher_folder() / "schema"
    baseline, *later = sorted(folder.glob("V*.cypher"))
    return [
        Migration(baseline.stem, _read(baseline), ""),
        *(Migration(path.stem, _read(path), _read(folder / "back" / path.name)) for path in later),
    ]


def list_applied(graph: Graph) -> list[Applied]:
    """Return the migrations that were applied to the graph, in order."""
    return graph.read(migrations.list_migrations)


def migrate(
    graph: Graph, note: Note | None = None, known: list[Migration] | None = None
) -> list[str]:
    """Bring the graph's schema up to date and return the names of the applied migrations.

    Of several processes that start at once one applies them, the others wait. `note` gets the name
    of each migration, its position from 0, and their number.
    """
    steps = list_migrations() if known is None else known
    report = note or _silent
    if not _missing(graph, steps):
        return []
    with schema_lock(graph, lambda: report("another process changes the schema", 0, 0)):
        missing = _missing(graph, steps)
        for number, step in enumerate(missing):
            report(step.name, number, len(missing))
            _apply(graph, step)
        _await_indexes(graph)
    return [step.name for step in missing]


def revert(
    graph: Graph, to: str, note: Note | None = None, known: list[Migration] | None = None
) -> list[str]:
    """Revert every migration after `to` (`V0041`), the newest first, and return their names.

    Older programs can start then; this one would apply the migrations again.
    """
    report = note or _silent
    with schema_lock(graph, lambda: report("another process changes the schema", 0, 0)):
        applied = list_applied(graph)
        _check_baseline(list_migrations() if known is None else known, applied)
        due = _list_after(applied, to)
        for number, migration in enumerate(due):
            report(migration.name, number, len(due))
            _run(graph, migration.back)
            graph.write(migrations.delete_migration, name=migration.name)
    return [migration.name for migration in due]


def _list_after(applied: list[Applied], to: str) -> list[Applied]:
    """Return the migrations after `to`, the newest first."""
    if to not in {_number(migration.name) for migration in applied}:
        raise NotFound(
            f"no migration {to!r} in this graph: `lineagegraph schema status` lists them"
        )
    return [migration for migration in reversed(applied) if _number(migration.name) > to]


def _missing(graph: Graph, known: list[Migration]) -> list[Migration]:
    applied = list_applied(graph)
    _check(known, applied)
    names = {migration.name for migration in applied}
    return [step for step in known if step.name not in names]


def _check(known: list[Migration], applied: list[Applied]) -> None:
    _check_baseline(known, applied)
    checksums = {step.name: step.checksum for step in known}
    for migration in applied:
        if checksums.get(migration.name, migration.checksum) != migration.checksum:
            raise SchemaMismatch(
                f"migration {migration.name} was applied to this graph with another text: "
                "install the version of lineagegraph that made it"
            )
    newer = [migration.name for migration in applied if migration.name not in checksums]
    if newer:
        raise SchemaMismatch(
            f"this graph has the newer migration {newer[-1]}: upgrade lineagegraph, or revert it "
            f"with `lineagegraph schema revert --to {_number(known[-1].name)}`"
        )


def _check_baseline(known: list[Migration], applied: list[Applied]) -> None:
    """Refuse a graph that an unreleased version made, with another baseline or with none."""
    if applied and (known[0].name, known[0].checksum) not in {
        (migration.name, migration.checksum) for migration in applied
    }:
        raise SchemaMismatch(
            "this graph was made by an unreleased version of lineagegraph and cannot be migrated: "
            "start a new graph, serve this one with the version that made it, and copy its events "
            "with `lineagegraph import marquez --url URL` (docs/migration.md)"
        )


def _apply(graph: Graph, step: Migration) -> None:
    _run(graph, step.text)
    graph.write(migrations.merge_migration, name=step.name, checksum=step.checksum, back=step.back)


def _run(graph: Graph, text: str) -> None:
    for statement in _STATEMENT_END.split(text):
        if statement.strip():
            _run_one(graph, statement)


@retry(
    retry=retry_if_exception_type(GraphBusy),
    stop=stop_after_attempt(5),
    wait=wait_exponential(multiplier=0.5),
    reraise=True,
)
def _run_one(graph: Graph, statement: str) -> None:
    with graph.autocommit() as session:
        session.run(statement).consume()


def _await_indexes(graph: Graph) -> None:
    while graph.read(migrations.list_populating):
        time.sleep(_POLL_SECONDS)


def _number(name: str) -> str:
    return name.partition("__")[0]


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _silent(name: str, done: int, total: int) -> None:
    pass
