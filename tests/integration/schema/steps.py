"""A small list of migrations, and a process that applies one."""

import subprocess
import sys
from pathlib import Path

from lineagegraph.graph.schema import Migration, list_migrations
from lineagegraph.neo4j_server import ServerAddress

_PROGRAM = """
import sys
from datetime import timedelta
from pathlib import Path
from lineagegraph.graph import Graph, list_migrations, migrate, schema_lock
bolt, user, password, folder = sys.argv[1:]
schema_lock.TERM = timedelta(seconds=1)
with Graph(bolt, user, password) as graph:
    migrate(graph, known=list_migrations(Path(folder)))
"""
_BASELINE = """
// A thing.
CREATE CONSTRAINT unique_thing IF NOT EXISTS FOR (n:Thing) REQUIRE n.id IS UNIQUE;

// The place; of a thing.
CREATE INDEX thing_place IF NOT EXISTS FOR (n:Thing) ON (n.place);
"""


def write_baseline(folder: Path) -> list[Migration]:
    """Write a baseline of two statements and return it."""
    (folder / "back").mkdir(parents=True)
    (folder / "V0001__baseline.cypher").write_text(_BASELINE, encoding="utf-8")
    return list_migrations(folder)


def write_step(folder: Path, name: str, text: str, back: str) -> list[Migration]:
    """Write a migration and its way back, and return all of the folder."""
    (folder / f"{name}.cypher").write_text(text, encoding="utf-8")
    (folder / "back" / f"{name}.cypher").write_text(back, encoding="utf-8")
    return list_migrations(folder)


def start_migrating(server: ServerAddress, folder: Path) -> "subprocess.Popen[bytes]":
    """Start a process that applies the migrations of a folder."""
    arguments = [server.bolt, server.user, server.password, str(folder)]
    return subprocess.Popen([sys.executable, "-c", _PROGRAM, *arguments])
