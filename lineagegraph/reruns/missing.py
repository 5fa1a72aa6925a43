"""Everything that a rerun needs and does not find, listed at once."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from lineagegraph.errors import ArchiveMissing, RunError
from lineagegraph.graph import Graph
from lineagegraph.model.pipelines.definition import CommandTask, Pipeline
from lineagegraph.model.pipelines.definition_diff import tasks_by_path
from lineagegraph.model.pipelines.environment import EnvironmentChange
from lineagegraph.model.pipelines.hierarchy import is_in_any
from lineagegraph.model.runs.rerun import Allow, PolicyKind, RerunPolicy, RerunRequest
from lineagegraph.private_files import TemporaryFolder
from lineagegraph.project.archive import unpack
from lineagegraph.project.programs import kept_command
from lineagegraph.reruns.environment import describe_change
from lineagegraph.reruns.inputs import ChangedInput
from lineagegraph.reruns.isolation import cannot_be_built
from lineagegraph.settings import Settings
from lineagegraph.store.pipelines.archives import read_source
from lineagegraph.store.runs.environments import EnvironmentRow
from lineagegraph.store.runs.reruns import Original, VersionRow


def missing_code(
    graph: Graph,
    settings: Settings,
    policy: RerunPolicy,
    original: Original,
    row: VersionRow | None,
    tasks: Sequence[str],
    grown: Pipeline | None,
) -> Iterator[str]:
    """Yield the missing code of an old version, of which `tasks` are to run; empty for all.

    `grown` is its pipeline with the tasks that the original run added.
    """
    if row is None and original.version is None:
        yield "its version is unknown: use --policy latest"
        return
    if row is None:
        yield f"version {(original.version or '')[:12]}, which it ran, is no longer in the graph"
        return
    if policy.kind is PolicyKind.LATEST:
        return
    yield from missing_files(graph, settings, row, tasks, grown)
    if policy.kind is PolicyKind.AS_WAS and not original.has_task_code:
        yield f"its functions as they were ({(original.task_code or '')[:12]}) are no longer kept"


def missing_files(
    graph: Graph,
    settings: Settings,
    row: VersionRow,
    tasks: Sequence[str],
    grown: Pipeline | None = None,
) -> Iterator[str]:
    """Yield the files that a stored version cannot run without and that are not there.

    `tasks` are those of `grown`, if it is given: the pipeline of the version with added tasks.
    """
    try:
        source = read_source(graph, settings, row.source_sha256 or "")
    except ArchiveMissing as error:
        yield str(error)
    else:
        pipeline = grown or row.pipeline()
        yield from _changed_programs(source, row.root, pipeline, tasks)


def _changed_programs(
    source: bytes, folder_of_project: str | None, pipeline: Pipeline, tasks: Sequence[str]
) -> Iterator[str]:
    """Yield the commands that would use other files than those of the version.

    Nothing is found on a machine that does not have the project: its worker compares them again.
    """
    root = Path(folder_of_project or "")
    if not (folder_of_project and root.is_dir()):
        return
    with TemporaryFolder() as folder:
        unpack(source, Path(folder))
        for path, task in tasks_by_path(pipeline).items():
            is_selected = not tasks or is_in_any(path, tasks)
            if isinstance(task.work, CommandTask) and is_selected:
                try:
                    kept_command(task.work.command, Path(folder), root)
                except RunError as error:
                    yield f"task {path}: {error}"


def missing_surroundings(
    request: RerunRequest,
    policy: RerunPolicy,
    lock: EnvironmentRow | None,
    changes: list[EnvironmentChange],
) -> Iterator[str]:
    """Yield the differing packages, unless that is allowed or they are installed again."""
    needed = request.isolated or policy.kind is PolicyKind.AS_WAS
    if not needed or (Allow.PACKAGES in request.allow and not request.isolated):
        return
    if lock is None:
        yield "the packages that it ran with were not recorded (--allow packages)"
    elif request.isolated:
        yield from cannot_be_built(lock.read())
    else:
        yield from (
            f"{describe_change(change)} (--allow packages, or --isolated)" for change in changes
        )


def missing_inputs(
    request: RerunRequest, policy: RerunPolicy, changes: Iterable[ChangedInput]
) -> Iterator[str]:
    """Yield the inputs that are gone, unless that is allowed."""
    if policy.kind is PolicyKind.AS_WAS and Allow.INPUTS not in request.allow:
        yield from (f"{change.why} (--allow inputs)" for change in changes)
