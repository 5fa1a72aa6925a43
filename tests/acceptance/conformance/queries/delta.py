"""Delta tables: every command, time travel, streams and clones."""

from tests.acceptance.conformance.query import query


def prepare(spark, home):
    rows = spark.range(50).selectExpr("id", "id * 2 AS v", "id % 3 AS d")
    rows.write.parquet(f"{home}/source")
    for name in ("d_kept", "d_changed", "d_days"):
        rows.write.format("delta").saveAsTable(name)
    rows.write.format("delta").save(f"{home}/d_path")
    spark.sql("CREATE TABLE d_gone USING delta AS SELECT 1 AS id")
    spark.sql("CREATE TABLE d_old USING delta AS SELECT 1 AS id")


def _source(spark, home):
    return spark.read.parquet(f"{home}/source")


@query("source", "d_new")
def write_path(spark, home):
    _source(spark, home).write.format("delta").save(f"{home}/d_new")


@query("source", "d_new")
def append_path(spark, home):
    _source(spark, home).write.format("delta").mode("append").save(f"{home}/d_new")


@query("d_path", "of_delta")
def read_path(spark, home):
    spark.read.format("delta").load(f"{home}/d_path").select("id").write.parquet(f"{home}/of_delta")


@query("d_path", "of_first")
def time_travel(spark, home):
    first = spark.read.format("delta").option("versionAsOf", 0).load(f"{home}/d_path")
    first.select("id").write.parquet(f"{home}/of_first")


@query("source", "warehouse/d_saved")
def save_as_delta(spark, home):
    _source(spark, home).write.format("delta").saveAsTable("d_saved")


@query("warehouse/d_kept", "warehouse/d_made")
def create_delta(spark, home):
    spark.sql("CREATE TABLE d_made USING delta AS SELECT id, v + 1 AS w FROM d_kept")


@query("warehouse/d_kept", "warehouse/d_made")
def replace_delta(spark, home):
    spark.sql("CREATE OR REPLACE TABLE d_made USING delta AS SELECT id, v + 2 AS w FROM d_kept")


@query("warehouse/d_kept", "warehouse/d_made")
def insert_delta(spark, home):
    spark.sql("INSERT INTO d_made SELECT id, v FROM d_kept")


@query("warehouse/d_kept", "warehouse/d_made")
def overwrite_delta(spark, home):
    spark.sql("INSERT OVERWRITE d_made SELECT id, v FROM d_kept")


@query("warehouse/d_kept warehouse/d_changed", "warehouse/d_changed")
def merge(spark, home):
    spark.sql(
        "MERGE INTO d_changed t USING (SELECT id, v FROM d_kept WHERE d = 1) s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET t.v = s.v WHEN NOT MATCHED THEN"
        " INSERT (id, v, d) VALUES (s.id, s.v, 0)"
    )


@query("", "warehouse/d_changed")
def update(spark, home):
    spark.sql("UPDATE d_changed SET v = 0 WHERE id > 40")


@query("", "warehouse/d_changed")
def delete(spark, home):
    spark.sql("DELETE FROM d_changed WHERE id = 0")


@query("source", "warehouse/d_days")
def replace_where(spark, home):
    writer = _source(spark, home).where("d = 1").write.format("delta").mode("overwrite")
    writer.option("replaceWhere", "d = 1").saveAsTable("d_days")


@query("source", "warehouse/d_by_writer")
def write_to(spark, home):
    _source(spark, home).writeTo("d_by_writer").using("delta").createOrReplace()


@query("d_path", "d_streamed")
def stream_delta(spark, home):
    rows = spark.readStream.format("delta").load(f"{home}/d_path").select("id")
    stream = rows.writeStream.format("delta").trigger(availableNow=True)
    stream = stream.option("checkpointLocation", f"{home}/delta_checkpoint")
    stream.start(f"{home}/d_streamed").awaitTermination()


@query("warehouse/d_kept", "warehouse/d_cloned")
def clone(spark, home):
    spark.sql("CREATE TABLE d_cloned SHALLOW CLONE d_kept")


@query("", "")
def optimize(spark, home):
    spark.sql("OPTIMIZE d_kept")


@query("", "warehouse/d_changed")
def truncate_delta(spark, home):
    spark.sql("TRUNCATE TABLE d_changed")


@query("", "warehouse/d_gone")
def drop_delta(spark, home):
    spark.sql("DROP TABLE d_gone")


@query("", "")
def drop_missing_delta(spark, home):
    spark.sql("DROP TABLE IF EXISTS d_never")


@query("", "warehouse/d_renamed")
def rename_delta(spark, home):
    spark.sql("ALTER TABLE d_old RENAME TO d_renamed")
