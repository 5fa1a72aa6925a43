"""Iceberg tables: run by `test_spark_releases` with releases of Spark that Iceberg has jars for."""

import pyspark
import pytest

import lineagegraph as lg
from lineagegraph.errors import RunError
from lineagegraph.neo4j_server.lock import Artifact
from lineagegraph.spark.tables.guard import guarding
from tests.acceptance.captured import Captured, columns, names, output
from tests.acceptance.conformance.both import fetched

RUNTIMES = {
    "3.5": Artifact(
        "org.apache.iceberg:iceberg-spark-runtime-3.5_2.12:1.12.0",
        "8dd8c90e54ed1a20f2461309d047a255ee56382eb7c0a46162b27a4936fd86dc",
        48252525,
    ),
    "4.0": Artifact(
        "org.apache.iceberg:iceberg-spark-runtime-4.0_2.13:1.11.0",
        "63c3b812549dc232c1920865ff42436df8604a9bbacd693930985c06bd97e6dc",
        47926285,
    ),
    "4.1": Artifact(
        "org.apache.iceberg:iceberg-spark-runtime-4.1_2.13:1.12.0",
        "3123c3798af642dd537230923548e013ef41cc28b6626e5225808cf5670a0f82",
        48309426,
    ),
}
MERGE = """MERGE INTO lake.db.{table} t USING parquet.`{home}/orders` s ON t.id = s.id + 5
    WHEN MATCHED AND s.day = 1 THEN UPDATE SET day = s.day + 1
    WHEN NOT MATCHED THEN INSERT (id, day) VALUES (s.id, s.day)"""


@pytest.fixture(scope="module")
def captured(tmp_path_factory):
    home = tmp_path_factory.mktemp("iceberg")
    catalog = "spark.sql.catalog.lake"
    conf = {
        "spark.jars": fetched(RUNTIMES[pyspark.__version__.rpartition(".")[0]]),
        "spark.sql.extensions": (
            "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions"
        ),
        catalog: "org.apache.iceberg.spark.SparkCatalog",
        f"{catalog}.type": "hadoop",
        f"{catalog}.warehouse": str(home / "lake"),
    }
    captured = Captured(home, **conf)

    def load(spark):
        orders = spark.range(10).selectExpr("id", "id % 3 AS day")
        orders.coalesce(1).write.parquet(str(home / "orders"))

    captured.run(load)
    yield captured
    captured.sessions.stop()


@pytest.fixture
def run(captured):
    """A function that runs SQL as a task, and returns its only action."""

    def run(text, **names):
        filled = text.format(home=captured.home, **names)
        return captured.run(lambda spark: spark.sql(filled)).action

    return run


@pytest.fixture(params=["copy-on-write", "merge-on-read"])
def table(request, captured, run):
    """A table of ten rows, and its first version."""
    name = request.param.replace("-", "_")
    modes = ", ".join(f"'write.{each}.mode'='{request.param}'" for each in ("merge", "update"))
    created = run(
        "CREATE TABLE lake.db.{name} USING iceberg TBLPROPERTIES ({modes})"
        " AS SELECT * FROM parquet.`{home}/orders`",
        name=name,
        modes=modes,
    )
    yield Table(name, captured.home / "lake" / "db" / name, created)
    run("DROP TABLE lake.db.{name}", name=name)


class Table:
    def __init__(self, name, path, created):
        self.name = name
        self.path = str(path)
        self.created = created


def version(dataset):
    return dataset["facets"]["version"]["datasetVersion"]


def rows(action):
    return output(action)["outputFacets"]["outputStatistics"].get("rowCount")


def identifiers(dataset):
    found = dataset["facets"]["symlinks"]["identifiers"]
    return [(each["namespace"], each["name"]) for each in found]


def test_a_table_is_its_location_with_its_name_beside_and_a_version_for_each_write(table, run):
    created = output(table.created)
    assert table.created["job"]["name"] == f"spark.write_db_{table.name}"
    assert created["name"] == table.path
    assert identifiers(created) == [("lake", f"db.{table.name}")]
    assert rows(table.created) == 10
    added = run("INSERT INTO lake.db.{t} SELECT id + 10, day FROM lake.db.{t}", t=table.name)
    [read] = added["inputs"]
    assert (read["name"], version(read)) == (table.path, version(created))
    assert output(added)["name"] == table.path
    assert version(output(added)) not in (version(created), None)
    assert rows(added) == 10


def test_a_merge_has_its_columns_and_counts_what_it_changed(table, run):
    merged = run(MERGE, table=table.name)
    assert names(merged["inputs"]) == sorted([table.path, str(run_home(merged))])
    fields, deciding = columns(merged)
    assert set(fields) == {"id", "day"}
    assert fields["day"]["orders", "day"]
    assert ("orders", "id") in deciding
    # Before Spark 4.1 what replaces files counts rows that were only copied, too.
    counted = pyspark.__version__ >= "4.1"
    if counted:
        assert rows(merged) == 2 + 5
    elif table.name == "copy_on_write":
        assert rows(merged) is None


def run_home(action):
    return next(d["name"] for d in action["inputs"] if d["name"].endswith("/orders"))


def test_updates_and_deletes_read_nothing_and_make_a_version(table, run):
    seen = {version(output(table.created))}
    for statement in (
        "UPDATE lake.db.{t} SET day = 7 WHERE id = 3",
        "DELETE FROM lake.db.{t} WHERE id = 4",
        "DELETE FROM lake.db.{t}",
        "TRUNCATE TABLE lake.db.{t}",
    ):
        action = run(statement, t=table.name)
        assert action["inputs"] == [], statement
        assert output(action)["name"] == table.path, statement
        assert "extractionError" not in action["run"]["facets"], statement
        assert version(output(action)) not in seen, statement
        seen.add(version(output(action)))


def test_a_read_names_the_snapshot_that_it_reads(table, captured, run):
    first = version(output(table.created))
    run("INSERT INTO lake.db.{t} VALUES (11, 1)", t=table.name)

    def copy(spark):
        old = spark.sql(f"SELECT * FROM lake.db.{table.name} VERSION AS OF {first}")
        old.write.mode("overwrite").parquet(str(captured.home / "old"))
        now = spark.read.format("iceberg").load(table.path)
        now.write.mode("overwrite").parquet(str(captured.home / "now"))
        files = spark.table(f"lake.db.{table.name}.files").select("file_path")
        files.write.mode("overwrite").parquet(str(captured.home / "files"))

    task = captured.run(copy)
    [old], [now] = (task.named(f"spark.write_{n}")["inputs"] for n in ("old", "now"))
    assert (old["name"], version(old)) == (table.path, first)
    assert now["name"] == table.path
    assert version(now) != first
    assert "symlinks" not in now["facets"]
    about = task.named("spark.write_files")
    assert about["inputs"] == []
    assert "extractionError" not in about["run"]["facets"]


def test_a_stream_into_a_table_is_an_action_a_batch_with_its_version(table, captured):
    home = captured.home

    def stream(spark):
        read = spark.readStream.schema("id long, day long").parquet(str(home / "orders"))
        writer = read.writeStream.format("iceberg").trigger(availableNow=True)
        writer = writer.option("checkpointLocation", str(home / f"of_{table.name}"))
        writer.toTable(f"lake.db.{table.name}").awaitTermination()

    batch = captured.run(stream).action
    assert names(batch["inputs"]) == [str(home / "orders")]
    assert output(batch)["name"] == table.path
    assert rows(batch) == 10
    assert version(output(batch)) != version(output(table.created))


def test_upkeep_and_writes_of_others_are_no_versions_of_an_action(table, captured, run):
    run("INSERT INTO lake.db.{t} VALUES (11, 1)", t=table.name)

    def compact(spark):
        spark.sql(
            f"""CALL lake.system.rewrite_data_files(
                table => 'db.{table.name}', options => map('rewrite-all', 'true'))"""
        ).collect()

    assert captured.run(compact).actions == []
    again = run("INSERT INTO lake.db.{t} VALUES (12, 1)", t=table.name)
    assert rows(again) == 1


def test_a_published_table_is_of_iceberg_and_each_publication_a_snapshot(captured):
    def work(spark):
        spark.sql("CREATE NAMESPACE IF NOT EXISTS lake.gold")
        spark.conf.set("spark.sql.defaultCatalog", "lake")
        try:
            lg.publish(spark.range(3), "gold.numbers")
            lg.publish(spark.range(2), "gold.numbers")
            lg.publish(spark.range(4), "gold.numbers", mode="append")
            with guarding(taken_over), pytest.raises(RunError, match="another worker"):
                lg.publish(spark.range(9), "gold.numbers")
        finally:
            spark.conf.unset("spark.sql.defaultCatalog")

    def taken_over():
        raise RunError("the run now has another worker")

    done = captured.run(work)
    assert done.error is None
    versions = [output(each)["facets"]["version"]["datasetVersion"] for each in done.actions]
    assert len(set(versions)) == 3
    spark = captured.sessions.session()
    assert spark.table("lake.gold.numbers").count() == 6
    assert spark.sql(f"SELECT * FROM lake.gold.numbers VERSION AS OF {versions[1]}").count() == 2
