"""Column lineage of analyzed plans that Spark 4.2 wrote, without the fields that nobody reads.

`orders` (id, cust, amount, day) and `cust` (cust, name) are the relations.
"""

from pathlib import Path

from lineagegraph.spark.columns.column_lineage import resolve_columns
from lineagegraph.spark.columns.transformations import strongest
from lineagegraph.spark.plan_json import parse_plan

PLANS = Path(__file__).with_name("plans")


def plan(name):
    return parse_plan((PLANS / f"{name}.json").read_text())


def lineage(name, known=None):
    resolved = resolve_columns(plan(name), known)
    return {c.name: columns(c.sources) for c in resolved.columns}, columns(resolved.deciding)


def columns(sources):
    return {column: subtypes for (_, column), subtypes in strongest(sources).items()}


def test_a_query_over_a_common_table_reaches_the_relation_behind_it():
    fields, deciding = lineage("common_table")
    assert fields["id"] == {"id": ["IDENTITY"]}
    assert fields["z"] == {"amount": ["TRANSFORMATION"]}
    assert deciding == {"id": ["FILTER", "JOIN"], "cust": ["FILTER"]}


def test_a_condition_decides_and_a_value_flows():
    fields, _ = lineage("common_table")
    assert fields["c"] == {"amount": ["TRANSFORMATION", "CONDITIONAL"]}
    assert fields["i"] == {"id": ["TRANSFORMATION", "CONDITIONAL"]}


def test_a_scalar_sub_query_gives_its_column_s_sources():
    assert lineage("common_table")[0]["mx"] == {"name": ["AGGREGATION"]}


def test_window_keys_are_indirect():
    assert lineage("common_table")[0]["w"] == {"amount": ["AGGREGATION"], "id": ["WINDOW"]}


def test_a_lateral_join_sees_the_columns_on_its_left():
    fields, deciding = lineage("lateral_join")
    assert fields == {"id": {"id": ["IDENTITY"]}, "s": {"cust": ["AGGREGATION"]}}
    assert deciding == {"cust": ["FILTER"]}


def test_explode_and_rollup_keep_the_sources():
    fields, _ = lineage("explode_rollup")
    assert fields == {
        "id": {"id": ["IDENTITY"]},
        "e": {"cust": ["TRANSFORMATION"], "amount": ["TRANSFORMATION"]},
        "g": {},
    }


def test_an_intersection_takes_both_sides_by_position_and_compares_rows():
    fields, deciding = lineage("intersect_sort")
    assert fields == {"id": {"id": ["IDENTITY"], "cust": ["IDENTITY"]}}
    compared = ["GROUP_BY", "JOIN", "SORT"]
    assert deciding == {"id": compared, "cust": compared}


def test_unpivot_passes_ids_and_takes_values_from_anywhere():
    fields, _ = lineage("unpivot")
    everything = {key: ["TRANSFORMATION"] for key in ("id", "cust", "amount", "day")}
    assert fields == {"id": {"id": ["IDENTITY"]}, "k": everything, "v": everything}


def test_a_stack_fills_its_columns_by_position():
    fields, _ = lineage("stack")
    assert fields["k"] == {}
    assert fields["v"] == {
        "cust": ["IDENTITY"],
        "amount": ["TRANSFORMATION"],
        "day": ["TRANSFORMATION"],
    }


def test_pivoted_columns_aggregate_values_by_key():
    fields, deciding = lineage("pivot")
    both = {"amount": ["AGGREGATION"], "cust": ["AGGREGATION"]}
    assert fields == {"day": {"day": ["IDENTITY"]}, "1": both, "2": both}
    assert deciding == {"day": ["GROUP_BY"], "cust": ["GROUP_BY"]}


def test_a_batch_write_reaches_through_the_micro_batch_around_it():
    around = resolve_columns(plan("micro_batch"))
    [written] = resolve_columns(plan("batch_write"), around.by_id).columns
    [((relation, column), subtype)] = written.sources
    assert (column, subtype) == ("id", "TRANSFORMATION")
    assert relation in {source[0] for c in around.columns for source, _ in c.sources}


def test_a_batch_write_alone_knows_only_the_batch():
    [written] = resolve_columns(plan("batch_write")).columns
    assert columns(written.sources) == {"id": ["TRANSFORMATION"]}
