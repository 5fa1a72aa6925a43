"""RDDs: text, objects and sequences, back to frames, checkpoints, functions that may write."""

from tests.acceptance.conformance.query import query


@query("customers.csv", "upper")
def text_files(spark, home):
    lines = spark.sparkContext.textFile(f"{home}/customers.csv")
    lines.map(str.upper).saveAsTextFile(f"{home}/upper")


@query("", "pickled")
def pickled(spark, home):
    spark.sparkContext.parallelize(range(9)).saveAsPickleFile(f"{home}/pickled")


@query("orders", "pairs")
def sequence_file(spark, home):
    rows = spark.read.parquet(f"{home}/orders").rdd
    rows.map(lambda row: (row.id, row.amount)).saveAsSequenceFile(f"{home}/pairs")


@query("customers.csv", "old_api new_api")
def hadoop_files(spark, home):
    pairs = spark.sparkContext.textFile(f"{home}/customers.csv").map(lambda line: (line, "1"))
    text = "org.apache.hadoop.io.Text"
    old = "org.apache.hadoop.mapred.TextOutputFormat"
    pairs.saveAsHadoopFile(f"{home}/old_api", old, keyClass=text, valueClass=text)
    new = "org.apache.hadoop.mapreduce.lib.output.TextOutputFormat"
    pairs.saveAsNewAPIHadoopFile(f"{home}/new_api", new, keyClass=text, valueClass=text)


@query("orders", "of_rows")
def rows_to_frame(spark, home):
    rows = spark.read.parquet(f"{home}/orders").rdd.map(lambda row: (row.id,))
    rows.toDF(["id"]).write.parquet(f"{home}/of_rows")


@query("orders customers.csv", "of_join")
def joined_rdds(spark, home):
    orders = spark.read.parquet(f"{home}/orders").rdd.map(lambda row: (str(row.customer), row.id))
    lines = spark.sparkContext.textFile(f"{home}/customers.csv").map(lambda line: line.split(","))
    orders.join(lines.map(tuple)).map(lambda found: str(found[1])).saveAsTextFile(f"{home}/of_join")


@query("customers.csv", "")
def counted_words(spark, home):
    lines = spark.sparkContext.textFile(f"{home}/customers.csv")
    lines.flatMap(lambda line: line.split(",")).countByValue()


@query("customers.csv", "of_whole")
def whole_files(spark, home):
    whole = spark.sparkContext.wholeTextFiles(f"{home}/customers.csv")
    whole.toDF(["path", "text"]).write.parquet(f"{home}/of_whole")


@query("orders", "of_local_checkpoint", opaque=("LocalCheckpointRDD",))
def local_checkpoint(spark, home):
    kept = spark.read.parquet(f"{home}/orders").localCheckpoint()
    kept.select("id").write.parquet(f"{home}/of_local_checkpoint")


@query("orders", "of_checkpoint", opaque=("ReliableCheckpointRDD",))
def checkpoint(spark, home):
    spark.sparkContext.setCheckpointDir(f"{home}/checkpoints")
    kept = spark.read.parquet(f"{home}/orders").checkpoint()
    kept.select("id").write.parquet(f"{home}/of_checkpoint")


@query("orders", "", opaque=("output of foreachPartition",))
def foreach(spark, home):
    spark.read.parquet(f"{home}/orders").foreachPartition(lambda rows: None)
