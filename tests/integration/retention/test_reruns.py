"""A sweep keeps what a kept rerun of some tasks takes from its original."""

from datetime import UTC, datetime, timedelta

from lineagegraph.admin.retention import sweep
from lineagegraph.admin.retention.report import KeepReason
from lineagegraph.graph import Graph
from tests.integration.retention.histories import run_ids
from tests.project import Project

COUNTED = """
@lg.task
def count() -> int:
    return 7

@lg.task(takes={"number": count.output})
def report(number: int | None):
    assert number == 7

lg.pipeline("counted", tasks=[count, report])
"""
AGE = "MATCH (:Run {id: $id})-[:PARENT_OF*0..]->(r:Run) SET r += {created_at: $at, ended_at: $at}"


def test_the_original_of_a_kept_part_stays_and_others_go(graph: Graph, project: Project) -> None:
    project.state(COUNTED)
    original, gone, newest = (project.run("counted") for _ in range(3))
    part = project.rerun(original, policy="as_was", tasks=("report",))
    whole = project.rerun(gone, policy="as_was")
    days = timedelta(days=1)
    for number, run in enumerate((original, gone, newest, whole)):
        at = datetime.now(UTC) - 30 * days + timedelta(hours=number)
        graph.query(AGE, {"id": run, "at": at}, write=True)
    done = sweep(graph, {"*": days})
    assert done.namespaces["default"].kept[KeepReason.REPEATED] == 3
    assert {original, part} <= run_ids(graph)
    assert gone not in run_ids(graph)
    again = project.rerun(part, policy="latest")
    assert project.tasks(again) == {"report": "COMPLETED"}
