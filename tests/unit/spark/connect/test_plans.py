"""What the plans of a Spark Connect client read and write."""

import pytest
import zstandard
from pyspark.sql.connect import proto

from lineagegraph.spark.connect.parts import FilePaths, Jdbc, NamedTable, Unknown
from lineagegraph.spark.connect.plans import effect_of, ended_stream, operation_of


def read_table(name):
    relation = proto.Relation()
    relation.read.named_table.unparsed_identifier = name
    return relation


def read_source(form, *paths, **options):
    relation = proto.Relation()
    source = relation.read.data_source
    source.format = form
    source.paths.extend(paths)
    for key, value in options.items():
        source.options[key] = value
    return relation


def over(*inputs):
    relation = proto.Relation()
    sides = (relation.join.left, relation.join.right)
    for side, given in zip(sides, inputs, strict=False):
        side.CopyFrom(given)
    return relation


def command(**fields):
    return proto.Command(**fields)


def test_leaves_of_a_plan_are_its_sources_in_their_order():
    plan = over(over(read_table("a"), read_table("c.`d.e`")), read_source("parquet", "/x", "/y"))
    assert effect_of(plan).sources == (
        NamedTable(("a",)),
        NamedTable(("c", "d.e")),
        FilePaths(("/x", "/y")),
    )


def test_a_plan_deeper_than_the_stack_of_python_is_read():
    top = proto.Relation()
    inner = top
    for _ in range(2000):
        inner.limit.limit = 1
        inner = inner.limit.input
    inner.read.named_table.unparsed_identifier = "a"
    assert effect_of(top).sources == (NamedTable(("a",)),)


@pytest.mark.parametrize(
    ("relation", "part"),
    [
        (read_source("csv", "/x"), FilePaths(("/x",))),
        (read_source("", path="/x"), FilePaths(("/x",))),
        (read_source("parquet", "/x/d=1", basePath="/x"), FilePaths(("/x",))),
        (read_source("iceberg", "shop.t"), NamedTable(("shop", "t"))),
        (read_source("jdbc", url="jdbc:h2:mem:a", dbtable="t"), Jdbc("jdbc:h2:mem:a", "t")),
        (read_source("jdbc", url="jdbc:h2:a", query="select 1"), Jdbc("jdbc:h2:a", "(select 1) t")),
        (read_source("kafka", subscribe="a"), Unknown("source kafka")),
        (read_source("my.Source", "/x"), Unknown("source my.Source")),
        (read_table("parquet.`/x/y`"), FilePaths(("/x/y",))),
    ],
)  # fmt: skip
def test_a_source_is_named_or_not_understood(relation, part):
    assert effect_of(relation).sources == (part,)


def test_rows_of_the_program_are_no_source_and_unknown_relations_are_marked():
    made = proto.Relation()
    made.range.end = 3
    assert effect_of(made).sources == ()
    kept = proto.Relation()
    kept.cached_remote_relation.relation_id = "x"
    assert effect_of(over(made, kept)).sources == (Unknown("checkpoint"),)
    other = proto.Relation()
    other.extension.type_url = "x"
    assert effect_of(other).sources == (Unknown("extension"),)
    assert effect_of(over(made, proto.Relation(common={"plan_id": 1}))).sources == (
        Unknown("relation"),
    )


def test_sub_queries_in_expressions_are_sources():
    plan = proto.Relation()
    plan.filter.input.CopyFrom(read_table("a"))
    plan.filter.condition.expression_string.expression = "id in (select id from b)"
    assert set(effect_of(plan).sources) == {NamedTable(("a",)), NamedTable(("b",))}


def test_frames_that_a_query_names_hide_tables_of_that_query_only():
    frame = proto.Relation()
    frame.subquery_alias.alias = "b"
    frame.subquery_alias.input.CopyFrom(read_table("a"))
    given = proto.Relation()
    given.with_relations.root.sql.query = "select * from b join c"
    given.with_relations.references.append(frame)
    assert set(effect_of(given).sources) == {NamedTable(("a",)), NamedTable(("c",))}
    assert NamedTable(("b",)) in effect_of(over(given, read_table("b"))).sources


def test_writes_name_their_output_and_the_frame_with_its_rows():
    write = command()
    write.write_operation.input.CopyFrom(read_table("a"))
    write.write_operation.source = "parquet"
    write.write_operation.path = "/x"
    write.write_operation.mode = 2
    effect = effect_of(write)
    [output] = effect.outputs
    assert (effect.sources, output.part, output.change) == (
        (NamedTable(("a",)),),
        FilePaths(("/x",)),
        "OVERWRITE",
    )
    write.write_operation.table.table_name = "shop.t"
    assert effect_of(write).outputs[0].part == NamedTable(("shop", "t"))
    write.write_operation.ClearField("save_type")
    write.write_operation.source = "noop"
    assert effect_of(write).outputs == ()
    write.write_operation.source = "mine"
    assert effect_of(write).outputs[0].part == Unknown("output mine")


def test_a_merge_reads_the_table_that_it_writes():
    merge = command()
    merge.merge_into_table_command.target_table_name = "t"
    merge.merge_into_table_command.source_table_plan.CopyFrom(read_table("s"))
    effect = effect_of(merge)
    assert (effect.sources, effect.outputs[0].part) == (
        (NamedTable(("s",)), NamedTable(("t",))),
        NamedTable(("t",)),
    )


def test_commands_that_are_not_known_are_marked_and_those_without_data_do_nothing():
    assert effect_of(command()).sources == (Unknown("command unknown"),)
    ml = command()
    ml.ml_command.fit.dataset.CopyFrom(read_table("a"))
    assert effect_of(ml).sources == (NamedTable(("a",)), Unknown("command ml_command"))
    asks = command()
    asks.get_resources_command.SetInParent()
    assert effect_of(asks).sources == ()


def test_methods_of_the_catalog_change_tables():
    drop = proto.Relation()
    drop.catalog.drop_table.table_name = "shop.t"
    [output] = effect_of(drop).outputs
    assert (output.part, output.change) == (NamedTable(("shop", "t")), "DROP")
    lists = proto.Relation()
    lists.catalog.list_tables.SetInParent()
    assert effect_of(lists).outputs == ()


def test_a_packed_plan_is_unpacked():
    plan = proto.Plan()
    plan.compressed_operation.op_type = proto.Plan.CompressedOperation.OP_TYPE_RELATION
    plan.compressed_operation.data = zstandard.compress(read_table("a").SerializeToString())
    assert effect_of(operation_of(plan)).sources == (NamedTable(("a",)),)
    assert effect_of(operation_of(proto.Plan())).sources == (Unknown("plan"),)


def test_the_end_of_a_stream_is_known_by_its_run():
    wait = command()
    wait.streaming_query_command.query_id.run_id = "r"
    wait.streaming_query_command.await_termination.SetInParent()
    assert ended_stream(wait) == "r"
    wait.streaming_query_command.status = True
    assert ended_stream(wait) is None
    assert ended_stream(read_table("a")) is None
