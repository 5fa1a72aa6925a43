"""Tables of Spark's own catalog: made, filled, read by views, changed and dropped."""

from tests.acceptance.conformance.query import query


def prepare(spark, home):
    orders = spark.read.parquet(f"{home}/orders")
    for name in ("t_orders", "t_filled", "t_dropped", "t_old", "t_emptied", "t_columns"):
        orders.write.saveAsTable(name)
    for name in ("t_twice", "t_empty_to_be"):
        orders.limit(1).write.saveAsTable(name)
    spark.sql("CREATE VIEW v_doubled AS SELECT id, amount * 2 AS doubled FROM t_orders")


@query("orders", "warehouse/t_saved")
def save_as_table(spark, home):
    spark.read.parquet(f"{home}/orders").write.mode("overwrite").saveAsTable("t_saved")


@query("orders", "warehouse/t_bucketed")
def buckets(spark, home):
    writer = spark.read.parquet(f"{home}/orders").write.bucketBy(2, "id").sortBy("id")
    writer.mode("overwrite").saveAsTable("t_bucketed")


@query("warehouse/t_orders", "warehouse/t_selected")
def create_as_select(spark, home):
    spark.sql("CREATE TABLE t_selected USING parquet AS SELECT id, amount FROM t_orders")


@query("orders", "elsewhere")
def create_at_location(spark, home):
    spark.sql(
        f"CREATE TABLE t_elsewhere USING parquet LOCATION '{home}/elsewhere'"
        f" AS SELECT id FROM parquet.`{home}/orders`"
    )


@query("warehouse/t_orders", "warehouse/t_filled")
def insert_from_itself(spark, home):
    spark.table("t_orders").limit(2).write.insertInto("t_filled")


@query("warehouse/t_orders", "warehouse/t_filled")
def insert_overwrite(spark, home):
    spark.sql("INSERT OVERWRITE t_filled SELECT * FROM t_orders WHERE day = 1")


@query("", "warehouse/t_filled")
def insert_values(spark, home):
    spark.sql("INSERT INTO t_filled VALUES (1, 2, 3.0, 4, 'a b')")


@query("warehouse/t_orders", "of_view")
def read_view(spark, home):
    spark.sql("SELECT doubled FROM v_doubled").write.parquet(f"{home}/of_view")


@query("warehouse/t_orders", "to_folder")
def insert_into_folder(spark, home):
    spark.sql(
        f"INSERT OVERWRITE DIRECTORY '{home}/to_folder' USING parquet SELECT id FROM t_orders"
    )


@query("orders", "")
def external_table(spark, home):
    spark.sql(f"CREATE TABLE t_external USING parquet LOCATION '{home}/orders'")
    spark.sql("SELECT count(*) FROM t_external").collect()


@query("warehouse/t_orders", "warehouse/t_script")
def script(spark, home):
    spark.sql(
        """
        BEGIN
            DECLARE least INT = 1;
            CREATE TABLE t_script USING parquet AS SELECT id FROM t_orders WHERE id > least;
            INSERT INTO t_script SELECT id FROM t_orders;
        END
        """
    )


@query("warehouse/t_orders", "warehouse/t_variable")
def variables(spark, home):
    spark.sql("DECLARE OR REPLACE VARIABLE chosen INT")
    spark.sql("SET VAR chosen = (SELECT max(day) FROM t_orders)")
    spark.sql("CREATE TABLE t_variable USING parquet AS SELECT id FROM t_orders WHERE day = chosen")


@query("", "warehouse/t_dropped")
def drop_table(spark, home):
    spark.sql("DROP TABLE t_dropped")


@query("", "")
def drop_missing_table(spark, home):
    spark.sql("DROP TABLE IF EXISTS t_never")
    spark.sql("DROP VIEW IF EXISTS v_never")


@query("", "warehouse/t_new")
def rename_table(spark, home):
    spark.sql("ALTER TABLE t_old RENAME TO t_new")


@query("", "warehouse/t_emptied")
def truncate_table(spark, home):
    spark.sql("TRUNCATE TABLE t_emptied")


@query("", "warehouse/t_created")
def create_table(spark, home):
    spark.sql("CREATE TABLE t_created (id INT, name STRING) USING parquet")


@query("", "warehouse/t_columns")
def alter_columns(spark, home):
    spark.sql("ALTER TABLE t_columns ADD COLUMNS (more INT)")


@query("", "")
def looks_only(spark, home):
    spark.sql("SHOW TABLES").collect()
    spark.sql("DESCRIBE t_orders").collect()
    spark.sql("ANALYZE TABLE t_orders COMPUTE STATISTICS NOSCAN")
    spark.sql("REFRESH TABLE t_orders")
