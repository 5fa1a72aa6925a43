"""The schema's numbered migrations: applied in order, once, and never edited after.

Files are `cypher/schema/V0001__unique_job.cypher`, one statement each, and the way back from it
under the same name in `cypher/schema/back`. Every statement can be run again: what a process that
died had begun, the next one ends. One that touches data does it in transactions of its own
(`CALL … IN TRANSACTIONS`), and leaves programs that run already what they need.

The graph keeps the ways back too, so that a program that is older than the graph can go them.
"""

import hashlib
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
_LOOK_SECONDS = 0.1


class Migration(NamedTuple):
    """One step of the schema, and the way back from it."""

    name: str
    text: str
    back: str | None

    @property
    def checksum(self) -> str:
        """The hash by which an edited step is told from the one that was applied."""
        return hashlib.sha256(self.text.encode()).hexdigest()


def list_migrations(folder: Path | None = None) -> list[Migration]:
    """Return the migrations that this program knows, in order."""
    paths = sorted((folder or cypher_folder() / "schema").glob("V*.cypher"))
    return [
        Migration(path.stem, path.read_text(encoding="utf-8"), _read_back(path)) for path in paths
    ]


def list_applied(graph: Graph) -> list[Applied]:
    """Return the migrations that the graph has, in order."""
    return graph.read(migrations.list_migrations)


def migrate(
    graph: Graph, note: Note | None = None, known: list[Migration] | None = None
) -> list[str]:
    """Bring the graph's schema up to date and return the names of what was applied.

    Of several that start at once one applies, the others wait until it has. `note` is told what
    is being done, how many steps were, and how many there are.
    """
    steps = list_migrations() if known is None else known
    tell = note or _silent
    if not _missing(graph, steps):
        return []
    with schema_lock(graph, lambda: tell("another process changes the schema", 0, 0)):
        missing = _missing(graph, steps)
        for number, step in enumerate(missing):
            tell(step.name, number, len(missing))
            _apply(graph, step)
        _await_indexes(graph)
    return [step.name for step in missing]


def revert(graph: Graph, to: str, note: Note | None = None) -> list[str]:
    """Take back every migration after `to` (`V0041`; `V0000` for all), the newest first.

    Returns the names of what was taken back. Programs of before can start then; one that knows
    more would apply it all again.
    """
    tell = note or _silent
    with schema_lock(graph, lambda: tell("another process changes the schema", 0, 0)):
        due = _list_after(list_applied(graph), to)
        for number, (name, back) in enumerate(due):
            tell(name, number, len(due))
            _run(graph, back)
            graph.write(migrations.delete_migration, name=name)
    return [name for name, _ in due]


def _list_after(applied: list[Applied], to: str) -> list[tuple[str, str]]:
    """Return what comes after a migration, the newest first, each with the way back from it."""
    if to != "V0000" and to not in {_number(one.name) for one in applied}:
        raise NotFound(
            f"no migration {to!r} in this graph: `lineagegraph schema status` lists them"
        )
    known = {step.name: step.back for step in list_migrations()}
    later = [one for one in reversed(applied) if _number(one.name) > to]
    due = [(one.name, known.get(one.name) or one.back) for one in later]
    for name, back in due:
        if not back:
            raise SchemaMismatch(
                f"nobody here knows the way back from {name}: upgrade lineagegraph"
            )
    return [(name, back) for name, back in due if back]


def _missing(graph: Graph, known: list[Migration]) -> list[Migration]:
    applied = {one.name: one.checksum for one in list_applied(graph)}
    _check(known, applied)
    return [step for step in known if step.name not in applied]


def _check(known: list[Migration], applied: dict[str, str]) -> None:
    for step in known:
        if applied.get(step.name, step.checksum) != step.checksum:
            raise SchemaMismatch(
                f"migration {step.name} was applied to this graph with another text: "
                "install the version of lineagegraph that made it"
            )
    newer = sorted(set(applied) - {step.name for step in known})
    if newer:
        last = max((_number(step.name) for step in known), default="V0000")
        raise SchemaMismatch(
            f"this graph has the newer migration {newer[-1]}: upgrade lineagegraph, or take it "
            f"back with `lineagegraph schema revert --to {last}`"
        )


def _apply(graph: Graph, step: Migration) -> None:
    _run(graph, step.text)
    graph.write(migrations.merge_migration, name=step.name, checksum=step.checksum, back=step.back)


@retry(
    retry=retry_if_exception_type(GraphBusy),
    stop=stop_after_attempt(5),
    wait=wait_exponential(multiplier=0.5),
    reraise=True,
)
def _run(graph: Graph, text: str) -> None:
    """Run a statement that commits by itself, as one that goes over much data must."""
    with graph.autocommit() as session:
        session.run(text).consume()


def _await_indexes(graph: Graph) -> None:
    while graph.read(migrations.list_populating):
        time.sleep(_LOOK_SECONDS)


def _number(name: str) -> str:
    return name.partition("__")[0]


def _read_back(path: Path) -> str | None:
    back = path.parent / "back" / path.name
    return back.read_text(encoding="utf-8") if back.exists() else None


def _silent(what: str, done: int, total: int) -> None:
    pass
