"""`sync`: store definition files in the graph."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import counting, errors, print_json, print_table, results
from lineagegraph.cli.interrupt import interrupts
from lineagegraph.reading.parsed_files import SyncResult
from lineagegraph.reading.sync import forget_path, sync_path
from lineagegraph.reading.watch import Watch
from lineagegraph.reading.write_versions import SyncedPipeline
from lineagegraph.settings import load_settings


def sync(
    path: Annotated[Path, typer.Argument(help="A definition file, or a folder of them.")],
    forget: Annotated[
        bool,
        typer.Option("--forget", help="Withdraw the definitions of this path and stop syncing it."),
    ] = False,
    watch: Annotated[
        bool, typer.Option("--watch", help="Keep running and sync changes until Ctrl-C.")
    ] = False,
    take: Annotated[
        bool,
        typer.Option("--take", help="Take over pipelines that another project or host defines."),
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Read definition files and store their pipelines as versions in the graph."""
    settings = load_settings()
    with connected(settings) as graph:
        if forget:
            result = SyncResult(withdrawn=forget_path(graph, path))
        else:
            with counting(f"reading {path}") as progress:
                result = sync_path(graph, settings, path, progress, take=take)
        print_json(result) if json else print_result(result, is_forgotten=forget)
        if watch and not forget:
            with interrupts() as over:
                tell = print_json if json else _print_news
                Watch(graph, settings, tell, (path.resolve(),)).run(over)
    raise typer.Exit(1 if result.failures else 0)


def print_result(result: SyncResult, *, is_forgotten: bool = False) -> None:
    """Print the synced pipelines as a table, and the rest line by line."""
    rows = [(s.pipeline, s.version[:12], _newness(s), s.file) for s in result.pipelines]
    if not is_forgotten:
        print_table(("pipeline", "version", "", "file"), rows, "no pipelines were read")
    for synced in result.pipelines:
        for line in _list_warnings(synced):
            errors.print(line)
    for name in result.withdrawn:
        results.print(f"{name} is withdrawn: no file defines it any more")
    for file in result.forgotten:
        errors.print(f"{file} was forgotten: `lineagegraph sync {file}` reads it again")
    for one in result.dynamic:
        why = "; ".join(one.because) or "lg.file(…) sets dynamic=True"
        errors.print(f"{one.file} is read again at the start of each run: {why}")
    for name in result.kept:
        errors.print(f"{name} stays as it was read last")
    for failure in result.failures:
        errors.print(f"error: {failure}")


def _list_warnings(synced: SyncedPipeline) -> Iterator[str]:
    name = synced.pipeline
    if synced.pinned:
        yield (
            f"{name} is pinned to version {synced.pinned[:12]}: "
            f"`lineagegraph rollback {name} --latest` releases it"
        )
    for trigger, because in synced.suspended.items():
        yield (
            f"{name}: trigger {trigger} is suspended, as {because}: "
            f"`lineagegraph trigger enable {trigger}` enables it"
        )
    for job in synced.unknown:
        yield (
            f"{name} starts after {job}, which is unknown: check its name; "
            "it fires once a run of that name is reported"
        )


def _print_news(result: SyncResult) -> None:
    """Print the new versions while watching."""
    for one in result.pipelines:
        results.print(f"{one.pipeline} {one.version[:12]} {_newness(one)} {one.file}")
    print_result(result, is_forgotten=True)


def _newness(synced: SyncedPipeline) -> str:
    newness = "new version" if synced.is_new else "unchanged"
    return f"{newness}, not run" if synced.pinned not in (None, synced.version) else newness
