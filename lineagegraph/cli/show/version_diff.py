"""The difference of two versions as text for a terminal."""

import json as json_text
from collections.abc import Iterable, Iterator
from typing import Any

from rich.text import Text

from lineagegraph.cli.console import print_table, results
from lineagegraph.cli.formatting import clock, size
from lineagegraph.model.change import Change
from lineagegraph.model.pipelines.definition_diff import EdgeDiff, FieldDiff, PartDiff
from lineagegraph.queries.versions.code_diff import FileDiff
from lineagegraph.queries.versions.version_diff import ComparedVersion, VersionDiff

SIGNS = {Change.ADDED: "+", Change.REMOVED: "-", Change.CHANGED: "~", Change.SAME: " "}
STYLES = {Change.ADDED: "green", Change.REMOVED: "red", Change.CHANGED: "yellow"}
_LINES = {"+": "green", "-": "red", "@": "cyan"}


def print_version_diff(found: VersionDiff) -> None:
    """Print the differences: tasks, order, parameters, settings, triggers and lines of code."""
    both = (found.before, found.after)
    rows = [("version", *(one.version[:12] for one in both)), ("known since", *map(_since, both))]
    if found.before.job != found.after.job:
        rows.insert(0, ("job", *(one.job for one in both)))
    print_table(("", "BEFORE", "AFTER"), rows, "")
    stated = found.definition
    for what, lines in (
        ("tasks", _parts(stated.tasks)),
        ("order", _edges(stated.edges)),
        ("parameters", _parts(stated.parameters)),
        ("settings", _fields(stated.settings)),
        ("triggers", _parts(stated.triggers)),
    ):
        _print_section(what, list(lines))
    for file in found.files:
        _print_file(file)
    for sentence in found.missing:
        results.print(Text.assemble(("missing  ", "yellow"), sentence))
    if stated.is_same and not found.files:
        results.print("the definitions are the same")


def _since(one: ComparedVersion) -> str:
    return clock(one.created_at)


def _print_section(what: str, lines: list[Text]) -> None:
    if lines:
        results.print(Text(what, "dim"))
    for line in lines:
        results.print(Text.assemble("  ", line))


def _parts(parts: Iterable[PartDiff]) -> Iterator[Text]:
    for part in parts:
        yield Text.assemble(_sign(part.change), f" {part.name}")
        for line in _fields(part.fields):
            yield Text.assemble("    ", line)


def _fields(fields: Iterable[FieldDiff]) -> Iterator[Text]:
    for field in fields:
        values = f"{_value(field.before)} → {_value(field.after)}"
        yield Text.assemble((field.name, "bold"), f": {values}")


def _edges(edges: Iterable[EdgeDiff]) -> Iterator[Text]:
    for edge in edges:
        yield Text.assemble(_sign(edge.change), f" {edge.first} → {edge.then}")


def _print_file(file: FileDiff) -> None:
    sizes = " → ".join(size(one) or "–" for one in (file.before_size, file.after_size))
    hashes = " → ".join((one or "–")[:8] for one in (file.before, file.after))
    results.print(Text.assemble(_sign(file.change), (f" {file.path}", "bold"), f"  {hashes}"))
    if not file.lines:
        results.print(Text(f"    {sizes}", "dim"))
    # The first two name the file, which stands above.
    for line in file.lines[2:]:
        results.print(Text(f"    {line}", _LINES.get(line[:1], "")))


def _sign(change: Change) -> Text:
    return Text(SIGNS[change], STYLES.get(change, ""))


def _value(value: Any) -> str:
    return "–" if value is None else json_text.dumps(value, ensure_ascii=False)
