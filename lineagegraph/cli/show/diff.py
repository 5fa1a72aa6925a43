"""`diff`: the differences between two runs or two versions."""

import json as json_text
from collections.abc import Iterable, Iterator
from typing import Annotated, Any

import typer
from rich.text import Text

from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import errors, print_json, print_table, results
from lineagegraph.cli.formatting import clock, count, size, state_text, took
from lineagegraph.cli.options import Json, Namespace
from lineagegraph.model.change import Change
from lineagegraph.model.pipelines.definition_diff import EdgeDiff, FieldDiff, PartDiff
from lineagegraph.queries.versions.find_version import find_run_or_version, version_of
from lineagegraph.queries.versions.run_diff import (
    MOST_COMPARED,
    ComparedRun,
    RunDiff,
    diff_runs_whole,
)
from lineagegraph.queries.versions.use_diff import ColumnDiff, Used, UseDiff
from lineagegraph.queries.versions.version_diff import (
    ComparedVersion,
    FileDiff,
    VersionDiff,
    diff_versions,
)
from lineagegraph.settings import load_settings

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
        values = f"{_setting_text(field.before)} → {_setting_text(field.after)}"
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


def _setting_text(value: Any) -> str:
    return "–" if value is None else json_text.dumps(value, ensure_ascii=False)


_LISTED = 2


def diff(
    before: Annotated[
        str,
        typer.Argument(
            metavar="BEFORE", help="Run id or version hash (unique prefix), or JOB@HASH."
        ),
    ],
    after: Annotated[str, typer.Argument(metavar="AFTER", help="Run or version to compare with.")],
    namespace: Namespace = None,
    json: Json = False,
) -> None:
    """Show the differences between two runs or versions: tasks, parameters, code and data."""
    settings = load_settings()
    with connected(settings) as graph:
        old, new = (find_run_or_version(graph, one, namespace) for one in (before, after))
        if old.run and new.run:
            found = diff_runs_whole(graph, settings, old.run, new.run)
            print_json(found) if json else _print(found)
            return
        versions = diff_versions(graph, settings, version_of(graph, old), version_of(graph, new))
    print_json(versions) if json else print_version_diff(versions)


def _print(found: RunDiff) -> None:
    print_table(("", "BEFORE", "AFTER"), _facts(found), "")
    parameters = [(one.name, _value(one.before), _value(one.after)) for one in found.parameters]
    if parameters:
        print_table(("PARAMETER", "BEFORE", "AFTER"), parameters, "")
    values = [(one.name, _value(one.before), _value(one.after)) for one in found.values]
    if values:
        print_table(("RETURNED BY", "BEFORE", "AFTER"), values, "")
    uses = [("read", use) for use in found.inputs] + [("wrote", use) for use in found.outputs]
    if uses:
        columns = ("DATA", "", "DATASET", "VERSION", "ROWS", "SIZE")
        print_table(columns, (_use(what, use) for what, use in uses), "")
    _print_columns(use for _, use in uses)
    if found.cut:
        errors.print(f"only {MOST_COMPARED:,} runs of each are compared: one has more below it")
    if found.versions:
        print_version_diff(found.versions)


def _facts(found: RunDiff) -> Iterator[tuple[str | Text, ...]]:
    both = (found.before, found.after)
    yield "run", *(run.id for run in both)
    yield "job", *_pair(found, "job", [f"{run.namespace}:{run.name}" for run in both])
    yield "state", *(state_text(run.state) for run in both)
    yield "started", *(clock(run.started_at) for run in both)
    yield "took", *(_took(run) for run in both)
    yield "version", *_pair(found, "version", [(run.version or "")[:10] for run in both])


def _pair(found: RunDiff, what: str, texts: list[str]) -> Iterator[Text]:
    style = STYLES[Change.CHANGED] if what in found.changed else ""
    return (Text(text, style) for text in texts)


def _took(run: ComparedRun) -> str:
    return took(run.started_at, run.ended_at) if run.ended_at else ""


def _use(what: str, use: UseDiff) -> tuple[str | Text, ...]:
    old, new = use.before, use.after
    return (
        what,
        _sign(use.change),
        f"{use.namespace}:{use.name}",
        _versions(old) if _is_same_version(use) else f"{_versions(old)} → {_versions(new)}",
        _arrow(count(old.row_count if old else None), count(new.row_count if new else None)),
        _arrow(size(old.size if old else None), size(new.size if new else None)),
    )


def _is_same_version(use: UseDiff) -> bool:
    return bool(use.before and use.after and use.before.versions == use.after.versions)


def _versions(used: Used | None) -> str:
    versions = used.versions if used else ()
    listed = ", ".join(version[:8] for version in versions) or "–"
    return listed if len(versions) <= _LISTED else f"{len(versions)} versions"


def _arrow(before: str, after: str) -> str:
    return before if before == after else f"{before or '–'} → {after or '–'}"


def _print_columns(uses: Iterable[UseDiff]) -> None:
    for use in uses:
        if use.columns:
            results.print(Text(f"columns of {use.name}", "dim"))
            for column in use.columns:
                results.print(Text.assemble("  ", _column(column)))


def _column(column: ColumnDiff) -> Text:
    types = _arrow(column.before or "", column.after or "")
    kind = types if column.change is Change.CHANGED else column.before or column.after or ""
    return Text.assemble(_sign(column.change), f" {column.name} {kind}".rstrip())


def _value(value: Any) -> str:
    return "" if value is None else json_text.dumps(value, ensure_ascii=False)
