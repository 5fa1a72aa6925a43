"""`as-was`: a past run, or a pipeline at a past time."""

import json as json_text
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text
from rich.tree import Tree

from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import is_wide, print_json, print_table, print_tree, results
from lineagegraph.cli.formatting import (
    clock,
    count,
    first_line,
    format_git,
    run_id,
    size,
    state_text,
    took,
)
from lineagegraph.cli.options import At, Json, Namespace
from lineagegraph.cli.show.lineage import WRITERS, LineageFormat
from lineagegraph.cli.written_file import write_file
from lineagegraph.drawing.as_was import draw_as_was
from lineagegraph.drawing.svg import to_svg
from lineagegraph.errors import NotFound
from lineagegraph.graph import Graph
from lineagegraph.model.runs.cost import describe_cost
from lineagegraph.queries.find.find import find_job, find_run
from lineagegraph.queries.versions.as_was import AsWas, read_as_was, read_job_as_was
from lineagegraph.queries.versions.tasks_as_was import NOT_RUN, DataAsWas, TaskAsWas
from lineagegraph.settings import load_settings

_SHORT = 12


def print_as_was(found: AsWas) -> None:
    """Print the facts, the tree of tasks, the data, and what is no longer known."""
    for name, value in _facts(found):
        if value:
            results.print(Text.assemble((f"{name:<12}", "dim"), value))
    if found.tasks:
        print_tree(_tree(found))
    _print_data(found)
    for sentence in found.missing:
        results.print(Text.assemble((f"{'missing':<12}", "yellow"), sentence))


def _facts(found: AsWas) -> Iterator[tuple[str, str | Text]]:
    yield "job", Text(found.job, "bold")
    yield from _run_facts(found)
    if found.at is not None:
        yield "at", clock(found.at)
        yield "in force", f"{clock(found.since)} – {clock(found.until) or 'today'}"
        yield "newest run", found.run_then or "none yet"
    yield from _code_facts(found)
    yield "scheduled", _dates(found)
    yield "parameters", _values(found.params)
    yield "variables", _values(found.variables)
    yield "emitted", _values(found.emitted)
    yield "cost", describe_cost(found.cost) if found.cost else ""
    yield "spark", ", ".join(f"{name}={value}" for name, value in found.spark.items())
    if found.environment:
        place = found.environment
        yield (
            "environment",
            f"Python {place.python}, {place.platform}, lock {place.sha256[:_SHORT]}",
        )
        yield "packages", str(len(place.packages))


def _run_facts(found: AsWas) -> Iterator[tuple[str, str | Text]]:
    run = found.run
    if run is None:
        return
    yield "run", run.id
    yield "state", state_text(run.state)
    yield "started", clock(run.started_at or run.created_at)
    yield "took", took(run.started_at, run.ended_at) if run.ended_at else ""
    yield "launches", str(run.launches) if (run.launches or 1) > 1 else ""
    yield "only", ", ".join(run.only)
    yield "rerun of", " ".join(filter(None, (run.rerun_of, run.rerun_policy)))
    yield "reason", run.reason or ""
    yield "error", first_line(run.error)


def _code_facts(found: AsWas) -> Iterator[tuple[str, str]]:
    version = found.version
    if version is None:
        return
    yield "version", f"{version.hash[:_SHORT]}, known since {clock(version.created_at)}"
    yield "file", version.file or ""
    yield "git", format_git(version.git_commit, version.git_branch, version.git_dirty)
    hashes = dict(zip(version.files, version.file_hashes, strict=False))
    yield "code", ", ".join(f"{name} {hashes.get(name, '')[:8]}" for name in version.files)


def _dates(found: AsWas) -> str:
    start, end = found.start_date, found.end_date
    parts = (f"from {clock(start)}" if start else "", f"until {clock(end)}" if end else "")
    return " ".join(filter(None, parts))


def _values(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{k}={json_text.dumps(v, ensure_ascii=False)}" for k, v in values.items())


def _tree(found: AsWas) -> Tree:
    is_run = found.run is not None
    whole = Tree(Text("tasks", "dim"))
    branches: dict[str | None, Tree] = {None: whole}
    for task in found.tasks:
        around = branches.get(task.parent, whole)
        branches[task.path] = around.add(_label(task, is_run=is_run))
    return whole


def _label(task: TaskAsWas, *, is_run: bool) -> Text:
    state = (
        state_text("not run" if task.state == NOT_RUN else task.state, task.reason)
        if is_run
        else ""
    )
    names = [path.rpartition(".")[2] for path in task.after]
    parts = [
        task.runs,
        took(task.started_at, task.ended_at) if task.ended_at else "",
        f"attempt {task.attempts}" if (task.attempts or 1) > 1 else "",
        f"after {', '.join(names)}" if names else "",
        _values(task.values),
        task.reason or "",
    ]
    label = Text.assemble(state, " " if state else "", (task.name, "bold"))
    label.append("  " + "  ".join(filter(None, parts)), "dim")
    if task.is_added:
        label.append("  added by the run", "cyan")
    if task.is_removed:
        label.append("  no longer in today's version", "yellow")
    return label


def _print_data(found: AsWas) -> None:
    uses = [("read", use) for use in found.inputs] + [("wrote", use) for use in found.outputs]
    if uses:
        columns = ("DATA", "DATASET", "VERSION", "WRITTEN BY", "ROWS", "SIZE")
        print_table(columns, (_use(what, use) for what, use in uses), "")


def _use(what: str, use: DataAsWas) -> tuple[str, ...]:
    return (
        what,
        f"{use.namespace}:{use.name}",
        (use.version or "unknown")[:8],
        run_id(use.writer, is_wide()) if use.writer and what == "read" else "",
        count(use.row_count),
        size(use.size),
    )


def as_was(
    what: Annotated[
        str,
        typer.Argument(
            metavar="RUN", help="Run id, or a unique start or end of it; or a job with --at."
        ),
    ],
    at: At = None,
    namespace: Namespace = None,
    svg: Annotated[Path | None, typer.Option(help="Write a picture to this file.")] = None,
    format: Annotated[LineageFormat, typer.Option(help="Output format.")] = LineageFormat.TEXT,  # noqa: A002
    json: Json = False,
) -> None:
    """Show a run as it was: its tasks and their states, code, data and environment."""
    with connected(load_settings()) as graph:
        if at is not None:
            found = read_job_as_was(graph, find_job(graph, what, namespace).key, at)
        else:
            found = read_as_was(graph, _run(graph, what))
    if svg is not None:
        write_file(svg, to_svg(draw_as_was(found)))
        results.print(str(svg))
    elif json or format is LineageFormat.JSON:
        print_json(found)
    elif format in WRITERS:
        print(WRITERS[format](draw_as_was(found)), end="")
    else:
        print_as_was(found)


def _run(graph: Graph, what: str) -> str:
    try:
        return find_run(graph, what).id
    except NotFound as error:
        advice = f"a job needs a time: `lineagegraph as-was {what} --at TIME`"
        raise NotFound(f"{error}; {advice}") from None
