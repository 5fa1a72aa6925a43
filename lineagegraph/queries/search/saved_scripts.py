"""The shipped queries as scripts for Neo4j Browser, in folders by noun."""

import re
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import msgspec

from lineagegraph.graph.statements import list_statements, statement

_PARAMETER = re.compile(r"\$(\w+)")
_READING = ("get_", "list_", "count_", "walk_")
# What only programs ask, though its parameters could be typed.
_MACHINERY = {
    "databases",
    "launches",
    "leases",
    "migrations",
    "occurrences",
    "retention",
    "sensor_shards",
    "sensors",
    "sources",
    "state_changes",
    "stats",
    "terms",
    "vocabulary",
}
# A person puts what is wanted between the quotes. A query that takes lists is none for people.
_GIVEN = {
    "at": "null",
    "before": "null",
    "columns": "true",
    "depth": "5",
    "ended": "false",
    "hash": "''",
    "id": "''",
    "job_key": "''",
    "key": "''",
    "kind": "null",
    "limit": "100",
    "name": "''",
    "namespace": "''",
    "now": "null",
    "offset": "0",
    "prefix": "''",
    "run_id": "''",
    "sha256": "''",
    "text": "''",
    "trigger": "null",
    "trigger_id": "''",
}


class SavedScript(msgspec.Struct, frozen=True):
    """A query with values in place of parameters; Browser shows its first line as the name."""

    name: str
    folder: str
    content: str


def saved_scripts() -> list[SavedScript]:
    """Return the scripts, by name; Browser keeps one level of folders."""
    named = ((*name.split("/")[-2:], statement(name)) for name in list_statements())
    return [
        SavedScript(f"{folder}/{verb}", folder, _with_values(text))
        for folder, verb, text in named
        if _is_for_people(folder, verb, text)
    ]


def write_zip(scripts: list[SavedScript], file: Path) -> None:
    """Write scripts as a ZIP file that can be dropped onto Browser's page."""
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        for script in scripts:
            archive.writestr(f"{script.name}.cypher", script.content)


def _is_for_people(folder: str, verb: str, text: str) -> bool:
    asked = _PARAMETER.findall(text)
    return folder not in _MACHINERY and verb.startswith(_READING) and _GIVEN.keys() >= set(asked)


def _with_values(text: str) -> str:
    """Return a query without parameters: Browser hides the results of scripts that set some."""
    return _PARAMETER.sub(lambda found: _GIVEN[found[1]], text)
