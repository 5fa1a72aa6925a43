"""Databases over JDBC: Derby, PostgreSQL and DuckDB."""

from tests.acceptance.conformance.query import query

DERBY = {"driver": "org.apache.derby.iapi.jdbc.AutoloadedDriver"}
SHOP = "jdbc:derby:memory:shop"
POSTGRES = {"driver": "org.postgresql.Driver"}
DUCK = {"driver": "org.duckdb.DuckDBDriver"}


def prepare(spark, home):
    rows = spark.read.parquet(f"{home}/customers")
    rows.write.jdbc(f"{SHOP};create=true", "kept", properties=DERBY)
    # Spark does not know how DuckDB says that there is no such table.
    made = spark.read.format("jdbc").options(url=f"jdbc:duckdb:{home}/shop.db", **DUCK)
    made = made.option("sessionInitStatement", "CREATE TABLE orders (id INTEGER, amount DOUBLE)")
    made.option("query", "SELECT 1 AS one").load().collect()


@query("customers", "derby:memory:shop:customers")
def write_derby(spark, home):
    rows = spark.read.parquet(f"{home}/customers")
    rows.write.jdbc(SHOP, "customers", properties=DERBY)


@query("derby:memory:shop:kept", "of_derby_query")
def read_query(spark, home):
    reader = spark.read.format("jdbc").options(url=SHOP, **DERBY)
    found = reader.option("query", 'SELECT "name" FROM kept WHERE "customer" > 1').load()
    found.write.parquet(f"{home}/of_derby_query")


@query("customers", "derby:memory:shop:Order")
def quoted_table(spark, home):
    rows = spark.read.parquet(f"{home}/customers")
    rows.write.jdbc(SHOP, '"Order"', properties=DERBY)


@query("derby:memory:shop:kept derby:memory:shop:Order", "of_derby_join")
def join_in_database(spark, home):
    table = '(SELECT a."name" FROM kept a, "Order" b WHERE a."customer" = b."customer") q'
    found = spark.read.jdbc(SHOP, table, properties=DERBY)
    found.write.parquet(f"{home}/of_derby_join")


@query("customers", "derby:memory:shop:kept", fails=True)
def refused_table(spark, home):
    spark.read.parquet(f"{home}/customers").write.jdbc(SHOP, "kept", properties=DERBY)


def _postgres(spark):
    return spark.conf.get("spark.test.postgres")


@query("orders", "postgres:postgres.public.orders")
def write_postgres(spark, home):
    rows = spark.read.parquet(f"{home}/orders")
    rows.write.jdbc(_postgres(spark), "orders", properties=POSTGRES)


@query("orders", "postgres:postgres.public.orders")
def overwrite_postgres(spark, home):
    rows = spark.read.parquet(f"{home}/orders").select("id", "amount").where("day = 1")
    rows.write.jdbc(_postgres(spark), "public.orders", mode="overwrite", properties=POSTGRES)


@query("postgres:postgres.public.orders", "of_postgres")
def read_postgres(spark, home):
    found = spark.read.jdbc(_postgres(spark), "orders", properties=POSTGRES)
    found.where("amount > 3").select("id").write.parquet(f"{home}/of_postgres")


@query("postgres:postgres.public.orders customers", "of_postgres_join")
def join_with_postgres(spark, home):
    found = spark.read.format("jdbc").options(url=_postgres(spark), **POSTGRES)
    sums = "WITH o AS (SELECT id, amount FROM orders) SELECT id, sum(amount) s FROM o GROUP BY id"
    sums = found.option("query", f"SELECT * FROM ({sums}) t").load()
    customers = spark.read.parquet(f"{home}/customers")
    joined = sums.join(customers, sums.id == customers.customer).select("name", "s")
    joined.write.parquet(f"{home}/of_postgres_join")


@query("orders", "duckdb:shop.db:orders")
def write_duckdb(spark, home):
    rows = spark.read.parquet(f"{home}/orders").select("id", "amount")
    rows.write.jdbc(f"jdbc:duckdb:{home}/shop.db", "orders", mode="append", properties=DUCK)


@query("duckdb:shop.db:orders", "of_duckdb")
def read_duckdb(spark, home):
    found = spark.read.jdbc(f"jdbc:duckdb:{home}/shop.db", "orders", properties=DUCK)
    found.select("id").write.parquet(f"{home}/of_duckdb")
