"""Names of actions stay the same from run to run."""

import pytest

from lineagegraph.spark.action import Action, Description, Table, WriteTarget
from lineagegraph.spark.action_names import name_action, verb_of
from lineagegraph.spark.columns.column_lineage import Resolved
from lineagegraph.spark.dataset_names import name_path
from lineagegraph.spark.plan_json import PlanNode


def action(target=None, sources=(), plan="Project"):
    relations = {i: (Table(name_path(path)),) for i, path in enumerate(sources)}
    return Action(Description(PlanNode(plan, {}, ()), Resolved(), relations, target))


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/lake/gold/daily", "write_daily"),
        ("/lake/gold/daily/day=3", "write_daily"),
        ("/lake/daily/2024-01-01", "write_daily"),
        ("/lake/daily/part-00000-5f3c.parquet", "write_daily"),
        ("/lake/my table.v2", "write_my_table_v2"),
        ("/2024", "write_2024"),
    ],
)
def test_a_write_is_named_for_the_lasting_part_of_its_path(path, name):
    assert name_action(action(WriteTarget(Table(name_path(path)))), "command") == name


def test_a_write_of_a_table_is_named_for_the_table():
    table = Table(name_path("/warehouse/gold.db/daily"), table=("file:/warehouse", "gold.daily"))
    assert name_action(action(WriteTarget(table)), None) == "write_gold_daily"


def test_a_read_is_named_for_what_is_done_with_the_first_input():
    assert name_action(action(sources=["/lake/orders", "/lake/x"]), "count") == "count_orders"


@pytest.mark.parametrize(
    ("execution", "verb"),
    [
        ("collectToPython", "collect"),
        ("collectAsArrowToPython", "to_pandas"),
        ("isEmpty", "is_empty"),
        (None, "run"),
    ],
)
def test_spark_s_names_of_executions_become_verbs(execution, verb):
    assert verb_of(execution) == verb
