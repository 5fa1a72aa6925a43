"""Where columns come from: joins, sub-queries, functions and shapes."""

from pyspark.sql import functions as F  # noqa: N812

from tests.acceptance.conformance.query import query


@query("orders customers", "joined")
def join_and_sum(spark, home):
    orders, customers = (spark.read.parquet(f"{home}/{name}") for name in ("orders", "customers"))
    sums = orders.join(customers, "customer").where("amount > 3").groupBy("name")
    sums.agg(F.sum("amount").alias("total")).write.parquet(f"{home}/joined")


@query("orders orders.csv", "united")
def union_of_formats(spark, home):
    lines = spark.read.csv(f"{home}/orders.csv", header=True)
    orders = spark.read.parquet(f"{home}/orders").select("id", "day")
    both = orders.union(lines.selectExpr("int(id)", "int(customer)"))
    both.write.parquet(f"{home}/united")


@query("orders", "ranked")
def window_in_common_tables(spark, home):
    spark.sql(
        f"""
        WITH chosen AS (SELECT id, customer, amount FROM parquet.`{home}/orders` WHERE day = 1),
        numbered AS (
            SELECT *, row_number() OVER (PARTITION BY customer ORDER BY amount DESC) AS place
            FROM chosen
        )
        SELECT customer, amount, place FROM numbered WHERE place = 1
        """
    ).write.parquet(f"{home}/ranked")


@query("orders customers", "asked")
def sub_queries(spark, home):
    spark.read.parquet(f"{home}/orders").createOrReplaceTempView("o")
    spark.read.parquet(f"{home}/customers").createOrReplaceTempView("c")
    spark.sql(
        """
        SELECT id, (SELECT max(customer) FROM c) AS most FROM o
        WHERE EXISTS (SELECT 1 FROM c WHERE c.customer = o.customer)
        AND day IN (SELECT customer FROM c)
        """
    ).write.parquet(f"{home}/asked")


@query("orders", "beside")
def self_join(spark, home):
    orders = spark.read.parquet(f"{home}/orders")
    left, right = orders.alias("l"), orders.alias("r")
    joined = left.join(right, F.col("l.id") == F.col("r.customer"))
    joined.selectExpr("l.amount AS a", "r.amount AS b").write.parquet(f"{home}/beside")


@query("orders", "words")
def explode(spark, home):
    words = F.explode(F.split("tags", " ")).alias("word")
    spark.read.parquet(f"{home}/orders").select("id", words).write.parquet(f"{home}/words")


@query("orders", "pivoted")
def pivot(spark, home):
    orders = spark.read.parquet(f"{home}/orders").groupBy("customer")
    orders.pivot("day", [0, 1, 2]).sum("amount").write.parquet(f"{home}/pivoted")


@query("orders", "pivoted_by_values")
def pivot_without_values(spark, home):
    orders = spark.read.parquet(f"{home}/orders").groupBy("customer")
    orders.pivot("day").sum("amount").write.parquet(f"{home}/pivoted_by_values")


@query("orders", "unpivoted")
def unpivot(spark, home):
    orders = spark.read.parquet(f"{home}/orders").selectExpr("id", "double(day) day", "amount")
    melted = orders.unpivot("id", ["day", "amount"], "what", "value")
    melted.write.parquet(f"{home}/unpivoted")


@query("orders", "stacked")
def stack(spark, home):
    orders = spark.read.parquet(f"{home}/orders")
    stacked = orders.selectExpr("id", "stack(2, 'day', day, 'customer', customer) AS (what, value)")
    stacked.write.parquet(f"{home}/stacked")


@query("orders", "rolled")
def rollup(spark, home):
    orders = spark.read.parquet(f"{home}/orders")
    orders.rollup("customer", "day").agg(F.sum("amount").alias("sum")).write.parquet(
        f"{home}/rolled"
    )


@query("orders customers", "without")
def anti_join_and_sort(spark, home):
    orders, customers = (spark.read.parquet(f"{home}/{name}") for name in ("orders", "customers"))
    rest = orders.join(customers, "customer", "left_anti").orderBy("amount")
    rest.select("id").write.parquet(f"{home}/without")


@query("orders customers", "lateral")
def lateral_join(spark, home):
    spark.sql(
        f"""
        SELECT c.name, best.amount FROM parquet.`{home}/customers` c,
        LATERAL (
            SELECT max(o.amount) AS amount FROM parquet.`{home}/orders` o
            WHERE o.customer = c.customer
        ) best
        """
    ).write.parquet(f"{home}/lateral")


@query("orders customers", "conditional")
def conditions_and_structs(spark, home):
    spark.sql(
        f"""
        SELECT CASE WHEN o.day = 1 THEN o.amount ELSE 0 END AS first_day,
        named_struct('who', c.name, 'day', o.day) AS about, coalesce(c.name, o.tags) AS text
        FROM parquet.`{home}/orders` o LEFT JOIN parquet.`{home}/customers` c USING (customer)
        """
    ).write.parquet(f"{home}/conditional")


@query("orders customers", "sets")
def intersect_and_except(spark, home):
    spark.sql(
        f"""
        (SELECT customer FROM parquet.`{home}/orders`
        INTERSECT SELECT customer FROM parquet.`{home}/customers`)
        EXCEPT SELECT day FROM parquet.`{home}/orders`
        """
    ).write.parquet(f"{home}/sets")


@query("orders", "recursive")
def recursive_common_table(spark, home):
    spark.sql(
        f"""
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3)
        SELECT i, amount FROM n JOIN parquet.`{home}/orders` o ON o.id = n.i
        """
    ).write.parquet(f"{home}/recursive")


@query("orders", "distinct")
def distinct_rows(spark, home):
    spark.read.parquet(f"{home}/orders").select("customer", "day").distinct().limit(
        9
    ).write.parquet(f"{home}/distinct")


@query("orders", "of_sql_function")
def sql_function(spark, home):
    spark.sql("CREATE TEMPORARY FUNCTION twice(x DOUBLE) RETURNS DOUBLE RETURN x * 2")
    twice = spark.sql(f"SELECT twice(amount) AS twice FROM parquet.`{home}/orders`")
    twice.write.parquet(f"{home}/of_sql_function")
