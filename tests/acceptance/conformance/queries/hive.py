"""Tables and folders in Hive's formats."""

from tests.acceptance.conformance.query import query


def prepare(spark, home):
    spark.sql("SET hive.exec.dynamic.partition.mode=nonstrict")
    spark.sql(
        "CREATE TABLE h_days (id INT, amount DOUBLE) PARTITIONED BY (day INT) STORED AS textfile"
    )
    spark.sql("CREATE TABLE h_lines (line STRING) STORED AS textfile")


@query("warehouse/t_orders", "warehouse/h_orc")
def create_as_orc(spark, home):
    spark.sql("CREATE TABLE h_orc STORED AS orc AS SELECT id, amount FROM t_orders")


@query("warehouse/t_orders", "warehouse/h_text")
def create_as_text(spark, home):
    spark.sql("CREATE TABLE h_text STORED AS textfile AS SELECT id, amount FROM t_orders")


@query("warehouse/t_orders", "warehouse/h_days")
def insert_dynamic_partitions(spark, home):
    spark.sql("INSERT OVERWRITE TABLE h_days PARTITION (day) SELECT id, amount, day FROM t_orders")


@query("warehouse/h_days", "of_hive")
def read_hive(spark, home):
    spark.sql("SELECT id, day FROM h_days WHERE day = 1").write.parquet(f"{home}/of_hive")


@query("warehouse/t_orders", "hive_folder")
def insert_into_hive_folder(spark, home):
    spark.sql(
        f"INSERT OVERWRITE LOCAL DIRECTORY '{home}/hive_folder' STORED AS orc"
        " SELECT id FROM t_orders"
    )


@query("lines.txt", "warehouse/h_lines")
def load_data(spark, home):
    spark.sql(f"LOAD DATA LOCAL INPATH '{home}/lines.txt' INTO TABLE h_lines")


@query("warehouse/t_orders", "warehouse/h_orc warehouse/h_text")
def insert_into_several(spark, home):
    spark.sql(
        "FROM t_orders INSERT INTO h_orc SELECT id, amount WHERE day = 1"
        " INSERT INTO h_text SELECT id, amount WHERE day = 2"
    )
