"""`batch status`: what of a batch is fresh, what runs or waits, and why."""

import msgspec
from rich.text import Text

from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import print_json, print_table
from lineagegraph.cli.formatting import state_text
from lineagegraph.cli.options import Json
from lineagegraph.cli.run.batch.find import BatchName, File, find_batch
from lineagegraph.queries.freshness.describe import say_age, say_terms
from lineagegraph.queries.freshness.freshness import Standing, read_standings
from lineagegraph.settings import load_settings
from lineagegraph.store.freshness.freshness import BatchTask, list_batch_tasks


def status(file: File, batch: BatchName = None, json: Json = False) -> None:
    """Show each task of a batch: how fresh it is, and how its latest run went."""
    settings = load_settings()
    with connected(settings) as graph:
        found = find_batch(graph, settings, file, batch)
        tasks = graph.read(list_batch_tasks, job_key=found.key)
        standings = read_standings(graph, settings.zone, [task.key for task in tasks])
    known = {one.about.key: one for one in standings}
    if json:
        print_json([_shown(task, known.get(task.key)) for task in tasks])
        return
    columns = ("TASK", "FRESHNESS", "AGE", "TERMS", "LATEST RUN", "")
    print_table(columns, (_row(task, known.get(task.key)) for task in tasks), "it has no tasks")


def _row(task: BatchTask, standing: Standing | None) -> tuple[str | Text | None, ...]:
    said = (
        (standing.state.value, say_age(standing.judged.age), say_terms(standing.about.terms))
        if standing
        else ("", "", "")
    )
    state = state_text(task.state) if task.state else None
    return (task.name, *said, state, ": ".join(filter(None, (task.reason, task.message))))


def _shown(task: BatchTask, standing: Standing | None) -> dict[str, object]:
    own = msgspec.structs.asdict(task)
    if standing is None:
        return own | {"freshness": None, "age_seconds": None}
    return own | {"freshness": standing.state.value, "age_seconds": standing.judged.age}
