"""The triggers that a job's deletion or new name would change."""

from datetime import UTC, datetime

from lineagegraph.graph import Graph
from lineagegraph.model.names.keys import name_job
from lineagegraph.model.runs.states import RunState
from lineagegraph.model.triggers.condition import OnStatus
from lineagegraph.model.triggers.constraint import NotFailing
from lineagegraph.model.triggers.trigger import Trigger
from lineagegraph.store.jobs import jobs
from lineagegraph.store.triggers.catalog import list_affected
from tests.integration.scheduling.rules import write_rules

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def test_triggers_on_the_tasks_of_a_pipeline_are_among_its_own(graph: Graph) -> None:
    top = name_job("default", "sales")
    task = name_job("default", "load", top)
    rows = [jobs.job_row(top, None), jobs.job_row(task, top.key)]
    graph.write(jobs.merge_jobs, rows=rows)
    of_task = OnStatus(job="sales.load", statuses=(RunState.COMPLETED,))
    rules = {
        "report": Trigger(when=of_task, constraints=(NotFailing(job="sales.load"),)),
        "mail": Trigger(when=OnStatus(job="sales", statuses=(RunState.COMPLETED,))),
    }
    graph.write(write_rules, rules, NOW)
    assert _affected(graph, top.key) == {
        ("mail", "waits for it"),
        ("report", "waits for sales.load"),
        ("report", "is limited by sales.load"),
    }
    assert _affected(graph, task.key) == {
        ("report", "waits for it"),
        ("report", "is limited by it"),
    }


def _affected(graph: Graph, key: str) -> set[tuple[str | None, str]]:
    return {(one.name, one.role) for one in graph.read(list_affected, key=key)}
