"""`batch status`: which tasks of a batch are fresh, running or waiting, and why."""

import msgspec
from rich.text import Text

from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import print_json, print_table
from lineagegraph.cli.formatting import state_text
from lineagegraph.cli.options import Json
from lineagegraph.cli.run.batch.files import BatchName, File, read_batch
from lineagegraph.model.freshness.describe import describe_freshness
from lineagegraph.queries.find.find import find_job
from lineagegraph.queries.freshness.freshness import Standing, describe_staleness, read_standings
from lineagegraph.settings import load_settings
from lineagegraph.store.freshness.freshness import BatchTask, list_batch_tasks
from lineagegraph.text import format_age, with_ages


def status(file: File, batch: BatchName = None, json: Json = False) -> None:
    """Show how fresh each task of a batch is, and its latest run."""
    settings = load_settings()
    # To look at a file makes it neither the current version nor one that daemons read.
    pipeline = read_batch(settings, file, batch).version.pipeline
    with connected(settings) as graph:
        found = find_job(graph, pipeline.name, pipeline.namespace)
        tasks = graph.read(list_batch_tasks, job_key=found.key)
        standings = read_standings(graph, settings.zone, [task.key for task in tasks])
    known = {one.about.key: one for one in standings}
    if json:
        print_json([_shown(task, known.get(task.key)) for task in tasks])
        return
    columns = ("TASK", "FRESHNESS", "AGE", "TERMS", "LATEST RUN", "")
    print_table(
        columns, (_row(task, known.get(task.key)) for task in tasks), "the batch has no tasks"
    )


def _row(task: BatchTask, standing: Standing | None) -> tuple[str | Text | None, ...]:
    said: tuple[str, ...] = ("", "", "")
    if standing:
        terms = describe_freshness(standing.about.terms.freshness)
        said = (standing.state.value, format_age(standing.judged.age), terms)
    state = state_text(task.state) if task.state else None
    why = with_ages(": ".join(filter(None, (task.reason, task.message))))
    if standing and standing.about.outdated_by:
        why = "; ".join(filter(None, (why, describe_staleness(standing))))
    return (task.name, *said, state, why)


def _shown(task: BatchTask, standing: Standing | None) -> dict[str, object]:
    own = msgspec.structs.asdict(task)
    if standing is None:
        return own | {"freshness": None, "age_seconds": None}
    return own | {"freshness": standing.state.value, "age_seconds": standing.judged.age}
