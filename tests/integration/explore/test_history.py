"""Runs, trees, firings and triggers as the graph has them."""

from typing import Any

from lineagegraph.graph import Graph
from lineagegraph.graph.statements import statement
from lineagegraph.queries.runs.hierarchy import list_roots, read_job_tree
from lineagegraph.queries.runs.runs import read_run, read_runs
from lineagegraph.queries.triggers.triggers import read_firings, read_triggers
from lineagegraph.queries.triggers.why import read_why

RUN = "00000001-0000-7000-8000-000000000000"


def test_runs_come_newest_first_and_no_more_than_asked_for(sample: Graph) -> None:
    assert [run.id[:8] for run in read_runs(sample, "nyc.delays", limit=2)] == [
        "00000003",
        "00000002",
    ]


def test_older_runs_are_read_from_a_time_on(sample: Graph) -> None:
    newest, *_ = read_runs(sample, "nyc.delays")
    assert newest.created_at is not None
    older = read_runs(sample, "nyc.delays", before=newest.created_at.replace(day=3))
    assert [run.id[:8] for run in older] == ["00000002", "00000001"]


def operators(plan: dict[str, Any]) -> list[str]:
    below = [name for child in plan.get("children", ()) for name in operators(child)]
    return [plan["operatorType"].partition("@")[0], *below]


def test_the_newest_runs_are_found_by_index_without_reading_the_others(sample: Graph) -> None:
    parameters = {"job_key": "k:nyc.delays", "before": None, "limit": 2}
    text = "EXPLAIN " + statement("runs/history/list_runs")
    with sample.autocommit() as session:
        plan = session.run(text, parameters).consume().plan
    assert plan is not None
    assert operators(plan)[-2:] == ["Limit", "NodeIndexSeek"]


def test_one_run_has_its_parameters_data_and_firings(sample: Graph) -> None:
    whole = read_run(sample, RUN)
    assert whole.params == {"month": 1}
    assert whole.emitted == {"rows": 42}
    assert [(use.name, use.row_count) for use in whole.reads] == [("flights", 336776)]
    assert [(use.name, use.row_count, use.file_count) for use in whole.writes] == [
        ("clean", 327346, None)
    ]
    assert whole.started_by is not None
    assert whole.started_by.trigger == "t1"
    assert [child.item.simple_name for child in whole.tree.children] == ["clean", "daily"]


def test_a_run_says_what_it_fired(sample: Graph) -> None:
    (fired,) = read_run(sample, "0000000a").fired
    assert (fired.starts, fired.run) == ("nyc.delays", RUN)


def test_the_tree_of_a_job_has_all_levels(sample: Graph) -> None:
    tree = read_job_tree(sample, "nyc.load")
    names = []
    while tree.children:
        (tree,) = tree.children
        names.append(tree.item.simple_name)
    assert names == ["flights", "app", "save"]


def test_only_jobs_without_a_parent_are_roots(sample: Graph) -> None:
    assert [root.name for root in list_roots(sample).jobs] == ["nyc.delays", "nyc.load", "upsert"]


def test_a_firing_says_what_it_consumed_and_started(sample: Graph) -> None:
    (firing,) = read_firings(sample)
    assert {consumed.kind for consumed in firing.consumed} == {"run", "cron"}
    assert [run.id for run in firing.started] == [RUN]


def test_a_trigger_shows_which_conditions_hold(sample: Graph) -> None:
    (row,) = read_triggers(sample)
    assert (row.starts, row.firings) == ("nyc.delays", 1)
    why = read_why(sample, "nyc.delays")
    (cell,) = why.cells
    assert not cell.condition.is_true
    assert [operand.is_true for operand in cell.condition.operands] == [True, False]
    (happened,) = cell.condition.operands[0].happened
    assert (happened.name, happened.status) == ("nyc.load", "COMPLETED")
    assert cell.condition.operands[1].missing == "nothing has happened since it fired last"
