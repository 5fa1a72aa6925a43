"""What Spark SQL's statements read and write."""

import pytest

from lineagegraph.spark.connect.parts import FilePaths, NamedTable, Unknown
from lineagegraph.spark.connect.statements import effect_of_sql, sources_of_expression

MERGE = "MERGE INTO copy USING numbers ON copy.id = numbers.id WHEN MATCHED THEN DELETE"
INTO_FOLDER = "INSERT OVERWRITE DIRECTORY '/out' USING parquet SELECT * FROM numbers"
NUMBERS, COPY = NamedTable(("numbers",)), NamedTable(("copy",))


def outputs(text):
    return [(each.part, each.change) for each in effect_of_sql(text).outputs]


@pytest.mark.parametrize(
    ("text", "sources"),
    [
        ("SELECT * FROM numbers", [NUMBERS]),
        ("FROM numbers SELECT id", [NUMBERS]),
        ("FROM numbers |> WHERE id > 1", [NUMBERS]),
        ("SELECT (SELECT max(id) FROM copy) FROM numbers", [NUMBERS, COPY]),
        ("WITH numbers AS (SELECT * FROM numbers) SELECT * FROM numbers", [NUMBERS]),
        ("WITH a AS (SELECT 1), b AS (SELECT * FROM a) SELECT * FROM b", []),
        ("WITH b AS (SELECT * FROM a), a AS (SELECT 1) SELECT * FROM b", [NamedTable(("a",))]),
        ("WITH RECURSIVE r AS (SELECT 1 UNION ALL SELECT * FROM r) SELECT * FROM r", []),
        ("WITH copy AS (SELECT 1) SELECT * FROM other.copy", [NamedTable(("other", "copy"))]),
        ("SELECT * FROM range(5) JOIN numbers LATERAL VIEW explode(a) t AS b", [NUMBERS]),
        ("SELECT * FROM parquet.`/data/a.b`", [FilePaths(("/data/a.b",))]),
        ("SELECT * FROM c.`a b`.`x``y`", [NamedTable(("c", "a b", "x`y"))]),
        ("SELECT * FROM numbers VERSION AS OF 3", [NUMBERS]),
        ("SELECT * FROM anything('/data')", [Unknown("function anything")]),
        ("SELECT * FROM IDENTIFIER(:name)", [Unknown("table")]),
        ("VALUES (1), (2)", []),
    ],
)
def test_a_query_reads_its_tables_and_runs_only_once_its_rows_are_asked_for(text, sources):
    effect = effect_of_sql(text)
    assert set(effect.sources) == set(sources)
    assert (effect.outputs, effect.is_lazy) == ((), True)


@pytest.mark.parametrize(
    ("text", "sources", "part", "change"),
    [
        ("INSERT INTO copy SELECT * FROM numbers", [NUMBERS], COPY, None),
        ("INSERT INTO copy SELECT * FROM copy", [COPY], COPY, None),
        ("INSERT OVERWRITE copy PARTITION (d = 1) TABLE numbers", [NUMBERS], COPY, "OVERWRITE"),
        ("CREATE TABLE copy USING delta AS SELECT * FROM numbers", [NUMBERS], COPY, "CREATE"),
        ("CREATE OR REPLACE TABLE copy AS SELECT * FROM numbers", [NUMBERS], COPY, "OVERWRITE"),
        ("CREATE TABLE copy (id int) USING parquet", [], COPY, "CREATE"),
        (MERGE, [COPY, NUMBERS], COPY, None),
        ("UPDATE copy SET a = 1 WHERE id IN (SELECT id FROM numbers)", [NUMBERS], COPY, None),
        ("DELETE FROM copy WHERE id = 1", [], COPY, None),
        ("TRUNCATE TABLE copy", [], COPY, "TRUNCATE"),
        ("DROP TABLE IF EXISTS copy", [], COPY, "DROP"),
        ("ALTER TABLE numbers RENAME TO copy", [], COPY, "RENAME"),
        ("ALTER TABLE copy ADD COLUMNS (x int)", [], COPY, "ALTER"),
        ("ALTER TABLE copy ADD PARTITION (d = 1)", [], COPY, None),
        ("LOAD DATA INPATH '/in' INTO TABLE copy", [FilePaths(("/in",))], COPY, None),
        (INTO_FOLDER, [NUMBERS], FilePaths(("/out",)), "OVERWRITE"),
    ],
)  # fmt: skip
def test_a_statement_writes_its_table(text, sources, part, change):
    effect = effect_of_sql(text)
    assert list(effect.sources) == sources
    assert outputs(text) == [(part, change)]
    assert (effect.sql, effect.is_lazy) == (text, False)


def test_a_renamed_table_has_its_name_before_and_stays_in_its_database():
    [output] = effect_of_sql("ALTER TABLE shop.a RENAME TO b").outputs
    assert (output.part, output.previous) == (NamedTable(("shop", "b")), ("shop", "a"))


def test_several_inserts_of_one_statement_write_several_tables():
    text = "FROM numbers INSERT INTO a SELECT id INSERT INTO b SELECT id"
    assert [part.name for part, _ in outputs(text)] == [("a",), ("b",)]
    assert effect_of_sql(text).sources == (NUMBERS,)


@pytest.mark.parametrize(
    "text",
    [
        "SHOW TABLES", "DESCRIBE TABLE EXTENDED t", "SET x = 1", "USE shop", "CREATE DATABASE shop",
        "ANALYZE TABLE t COMPUTE STATISTICS", "EXPLAIN SELECT * FROM t", "REFRESH TABLE t",
        "CREATE VIEW v AS SELECT * FROM copy", "DROP DATABASE shop", "OPTIMIZE copy", "VACUUM copy",
        "CACHE TABLE copy", "COMMENT ON TABLE copy IS 'x'",
    ],
)  # fmt: skip
def test_a_statement_that_changes_no_rows_does_nothing(text):
    effect = effect_of_sql(text)
    assert (effect.sources, effect.outputs) == ((), ())


@pytest.mark.parametrize(
    "text",
    [
        "CALL system.rollback_to_snapshot('t', 1)", "RESTORE TABLE t TO VERSION AS OF 1",
        "DROP DATABASE shop CASCADE", "EXECUTE IMMEDIATE 'INSERT INTO t VALUES (1)'",
        "BEGIN INSERT INTO t VALUES (1); END", "CONVERT TO DELTA parquet.`/x`", "not sql at all",
        "COPY INTO t FROM '/x' FILEFORMAT = CSV", "SELECT 1 /*" + "x" * 300_000 + "*/",
    ],
)  # fmt: skip
def test_a_statement_that_is_not_known_is_marked(text):
    effect = effect_of_sql(text)
    assert (effect.sources, effect.outputs) == ((Unknown("statement"),), ())


def test_a_temporary_view_is_what_its_query_reads():
    made = effect_of_sql("CREATE OR REPLACE TEMP VIEW v AS SELECT * FROM numbers")
    assert made.view is not None
    assert (made.view.name, made.view.sources, made.outputs) == ("v", (NUMBERS,), ())
    cached = effect_of_sql("CACHE TABLE v AS SELECT * FROM numbers")
    assert cached.view == made.view
    of_source = effect_of_sql("CREATE TEMP VIEW v USING parquet OPTIONS (path '/x')")
    assert of_source.view is not None
    assert of_source.view.sources == (Unknown("view v"),)
    assert effect_of_sql("DROP VIEW v").dropped_view == "v"


def test_a_sub_query_in_an_expression_reads_its_tables():
    assert sources_of_expression("id IN (SELECT id FROM numbers)") == (NUMBERS,)
    assert sources_of_expression("exists (from copy |> where id = 1)") == (COPY,)
    assert sources_of_expression("price * 2 AS selected_price") == ()
    assert sources_of_expression("(SELECT FROM WHERE") == (Unknown("expression"),)
