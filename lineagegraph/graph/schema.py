"""The schema's numbered migrations: applied in order, once, and never edited after.

Files are `cypher/schema/V0001__unique_job.cypher`, one statement each; every statement can be
run again, so that two processes that start at once do no harm.
"""

import hashlib
from typing import LiteralString, NamedTuple

from lineagegraph.errors import SchemaMismatch
from lineagegraph.graph.binding import Transaction
from lineagegraph.graph.connection import Graph
from lineagegraph.graph.statements import cypher_folder, statement


class Migration(NamedTuple):
    """One step of the schema."""

    name: str
    text: str
    checksum: str


def list_migrations() -> list[Migration]:
    """Return the migrations that this program knows, in order."""
    paths = sorted((cypher_folder() / "schema").glob("V*.cypher"))
    texts = [(path.stem, path.read_text(encoding="utf-8")) for path in paths]
    return [
        Migration(name, text, hashlib.sha256(text.encode()).hexdigest()) for name, text in texts
    ]


def migrate(graph: Graph) -> list[str]:
    """Bring the graph's schema up to date and return the names of what was applied."""
    known = list_migrations()
    with graph.autocommit() as session:
        applied = {row["name"]: row["checksum"] for row in session.run(_cypher("list_migrations"))}
        _check(known, applied)
        return [_apply(session, step) for step in known if step.name not in applied]


def _check(known: list[Migration], applied: dict[str, str]) -> None:
    for step in known:
        if applied.get(step.name, step.checksum) != step.checksum:
            raise SchemaMismatch(
                f"migration {step.name} was applied to this graph with another text: "
                "install the version of lineagegraph that made it"
            )
    newer = sorted(set(applied) - {step.name for step in known})
    if newer:
        raise SchemaMismatch(
            f"this graph has the newer migration {newer[-1]}: upgrade lineagegraph"
        )


def _apply(session: Transaction, step: Migration) -> str:
    session.run(step.text).consume()
    session.run(
        _cypher("merge_migration"), {"name": step.name, "checksum": step.checksum}
    ).consume()
    return step.name


def _cypher(name: str) -> LiteralString:
    return statement(f"migrations/{name}")
