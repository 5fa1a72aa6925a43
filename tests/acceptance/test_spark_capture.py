"""Lineage of what a real Spark session does, and whose it is."""

import asyncio
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.pool import ThreadPool
from pathlib import Path
from threading import Barrier, Event, Thread
from time import sleep

import pyspark
import pytest
from pyspark.sql import functions as F  # noqa: N812

from lineagegraph.spark.progress import StageProgress
from lineagegraph.text import describe_error
from tests.acceptance.captured import (
    FINAL,
    Captured,
    columns,
    files_of,
    kind,
    names,
    output,
    parent_id,
    partitions,
    run_id,
    said,
    task,
)

# Where the Derby that comes with Spark has its driver.
DERBY = {
    "driver": "org.apache.derby.iapi.jdbc.AutoloadedDriver"
    if pyspark.__version__ >= "4"
    else "org.apache.derby.jdbc.AutoloadedDriver"
}


@pytest.fixture(scope="module")
def captured(tmp_path_factory):
    captured = Captured(tmp_path_factory.mktemp("spark"))
    yield captured
    captured.sessions.stop()


@pytest.fixture(scope="module")
def data(captured):
    """Orders and customers as CSV files, loaded into Parquet."""
    home = captured.home
    orders = [f"{i},{i % 7},{i * 1.5},{i % 3}" for i in range(100)]
    (home / "orders.csv").write_text("\n".join(["id,customer,amount,day", *orders]) + "\n")
    customers = [f"{i},name {i}" for i in range(7)]
    (home / "customers.csv").write_text("\n".join(["customer,name", *customers]) + "\n")

    def load(spark):
        for name in ("orders", "customers"):
            read = spark.read.csv(str(home / f"{name}.csv"), header=True, inferSchema=True)
            read.write.mode("overwrite").parquet(str(home / name))

    return home, captured.run(load)


def test_a_csv_load_is_one_action_with_counts_that_are_true(data):
    home, loaded = data
    assert [e["job"]["name"] for e in loaded.actions] == [
        "spark.write_orders",
        "spark.write_customers",
    ]
    action = loaded.named("spark.write_orders")
    assert names(action["inputs"]) == [str(home / "orders.csv")]
    assert said(action["inputs"][0]["inputFacets"]["inputStatistics"]) == {
        "rowCount": 100,
        "size": (home / "orders.csv").stat().st_size,
        "fileCount": 1,
    }
    assert output(action)["namespace"] == "file"
    assert output(action)["name"] == str(home / "orders")
    files = files_of(home / "orders")
    assert said(output(action)["outputFacets"]["outputStatistics"]) == {
        "rowCount": 100,
        "size": sum(f.stat().st_size for f in files),
        "fileCount": len(files),
    }
    assert output(action)["facets"]["schema"]["fields"] == [
        {"name": "id", "type": "integer"},
        {"name": "customer", "type": "integer"},
        {"name": "amount", "type": "double"},
        {"name": "day", "type": "integer"},
    ]


def test_the_hierarchy_is_task_then_application_then_action(data):
    _, loaded = data
    context = loaded.context
    application = loaded.application
    assert application["job"]["name"] == "spark"
    assert application["eventType"] == "COMPLETE"
    parent = said(application["run"]["facets"]["parent"])
    assert parent == {
        "run": {"runId": context.run_id},
        "job": {"namespace": "ns", "name": "p.t"},
        "root": {
            "run": {"runId": context.root_run_id},
            "job": {"namespace": "ns", "name": "p"},
        },
    }
    for action in loaded.actions:
        assert parent_id(action) == run_id(application)
        assert action["run"]["facets"]["parent"]["root"] == parent["root"]
    started = [run_id(e) for e in loaded.events if e["eventType"] == "START"]
    ended = [run_id(e) for e in loaded.events if e["eventType"] in FINAL]
    assert Counter(started) == Counter(ended)
    times = [e["eventTime"] for e in loaded.events]
    assert times[0] == min(times)
    assert times[-1] == max(times)


def test_column_lineage_of_a_join_with_an_aggregate_is_exact(captured, data):
    home, _ = data

    def aggregate(spark):
        orders = spark.read.parquet(str(home / "orders"))
        customers = spark.read.parquet(str(home / "customers"))
        (
            orders.join(customers, "customer")
            .filter("amount > 3")
            .groupBy("name", "day")
            .agg(F.sum("amount").alias("total"), F.count("*").alias("n"))
            .write.partitionBy("day")
            .mode("overwrite")
            .parquet(str(home / "gold" / "daily"))
        )

    action = captured.run(aggregate).action
    fields, deciding = columns(action)
    assert fields == {
        "name": {("customers", "name"): ["IDENTITY"]},
        "day": {("orders", "day"): ["IDENTITY"]},
        "total": {("orders", "amount"): ["AGGREGATION"]},
        "n": {},
    }
    assert deciding == {
        ("orders", "amount"): ["FILTER"],
        ("orders", "customer"): ["JOIN"],
        ("orders", "day"): ["GROUP_BY"],
        ("customers", "customer"): ["JOIN"],
        ("customers", "name"): ["GROUP_BY"],
    }
    assert action["job"]["name"] == "spark.write_daily"
    assert partitions(action) == [{"day": 0}, {"day": 1}, {"day": 2}]
    assert said(output(action)["facets"]["lifecycleStateChange"]) == {
        "lifecycleStateChange": "OVERWRITE"
    }


def test_a_dynamic_overwrite_names_only_the_partitions_that_it_wrote(captured, data):
    home, _ = data
    target = str(home / "by_day")

    def write(spark):
        orders = spark.read.parquet(str(home / "orders"))
        orders.write.partitionBy("day").parquet(target)
        one = orders.filter("day = 1").write.partitionBy("day").mode("overwrite")
        one.option("partitionOverwriteMode", "dynamic").parquet(target)

    first, second = captured.run(write).actions
    assert partitions(first) == [{"day": 0}, {"day": 1}, {"day": 2}]
    assert partitions(second) == [{"day": 1}]
    assert output(second)["outputFacets"]["outputStatistics"]["rowCount"] == 33
    assert first["job"] == second["job"]
    assert run_id(first) != run_id(second)


def test_a_read_of_one_partition_s_folder_is_a_read_of_the_dataset(captured, data):
    home, _ = data
    orders = str(home / "split")

    def read(spark):
        spark.read.parquet(str(home / "orders")).write.partitionBy("day").parquet(orders)
        spark.read.parquet(f"{orders}/day=1", f"{orders}/day=2").count()

    action = captured.run(read).named("spark.count_split")
    [split] = action["inputs"]
    assert split["name"] == orders
    assert said(split["inputFacets"]["subset"]) == {
        "inputCondition": {
            "type": "partition",
            "partitions": [{"dimensions": {"day": 1}}, {"dimensions": {"day": 2}}],
        }
    }
    assert split["inputFacets"]["inputStatistics"]["rowCount"] == 66
    assert action["outputs"] == []


def test_writes_at_the_same_time_name_each_its_own_partitions(captured, data):
    home, _ = data
    target = home / "at[once]"

    def write(spark):
        def write_day(day):
            # The first ends after the second, and began before it.
            rows = spark.range(40 * day, numPartitions=1).selectExpr("id", f"{day} AS day")
            if day == 1:
                rows = rows.withColumn("id", F.udf(lambda row: sleep(0.1) or row, "long")("id"))
            rows.write.partitionBy("day").mode("append").parquet(str(target))

        with ThreadPool(2) as pool:
            pool.map(write_day, [1, 2], chunksize=1)

    found = [partitions(action) for action in captured.run(write).actions]
    assert sorted(found, key=str) == [[{"day": 1}], [{"day": 2}]]


def test_dated_paths_are_partitions_of_one_dataset(captured, data):
    home, _ = data

    def work(spark):
        for day in ("2026-11-21", "2026-11-22", "2026-11-23"):
            spark.range(5).write.parquet(str(home / "dated" / day))
        spark.read.parquet(str(home / "dated" / "2026-11-2[23]")).write.parquet(
            str(home / "monthly" / "2026" / "11")
        )

    *written, last = captured.run(work).actions
    assert {output(action)["name"] for action in written} == {str(home / "dated")}
    assert [partitions(action) for action in written] == [
        [{"date": f"2026-11-{day}"}] for day in (21, 22, 23)
    ]
    [read] = last["inputs"]
    assert read["name"] == str(home / "dated")
    condition = read["inputFacets"]["subset"]["inputCondition"]["partitions"]
    assert condition == [{"dimensions": {"date": f"2026-11-{day}"}} for day in (22, 23)]
    assert read["inputFacets"]["inputStatistics"]["rowCount"] == 10
    assert output(last)["name"] == str(home / "monthly")
    assert partitions(last) == [{"month": "2026-11"}]
    assert last["job"]["name"] == "spark.write_monthly"
    files = last["run"]["facets"]["lineagegraph"]["files"]
    assert [state["path"] for state in files["read"]] == [
        str(home / "dated" / f"2026-11-{day}") for day in (22, 23)
    ]
    assert [state["path"] for state in files["written"]] == [str(home / "monthly" / "2026" / "11")]


def test_a_table_is_one_action_under_its_path_with_its_name_beside(captured, data):
    home, _ = data

    def save(spark):
        orders = spark.read.parquet(str(home / "orders"))
        orders.write.mode("overwrite").saveAsTable("sales")
        spark.sql("CREATE TABLE doubled USING parquet AS SELECT id, amount * 2 AS twice FROM sales")
        spark.sql("INSERT INTO doubled SELECT id, amount FROM sales WHERE day IN (SELECT 1)")

    saved, created, inserted = captured.run(save).actions
    assert [e["job"]["name"] for e in (saved, created, inserted)] == [
        "spark.write_sales",
        "spark.write_doubled",
        "spark.write_doubled",
    ]
    assert output(saved)["name"] == str(home / "warehouse" / "sales")
    assert output(created)["name"] == output(inserted)["name"]
    [name] = output(saved)["facets"]["symlinks"]["identifiers"]
    assert (name["name"], name["type"]) == ("default.sales", "TABLE")
    assert names(created["inputs"]) == [output(saved)["name"]]
    assert columns(created)[0] == {
        "id": {("sales", "id"): ["IDENTITY"]},
        "twice": {("sales", "amount"): ["TRANSFORMATION"]},
    }
    assert said(output(created)["facets"]["lifecycleStateChange"]) == {
        "lifecycleStateChange": "CREATE"
    }
    rows = [output(e)["outputFacets"]["outputStatistics"]["rowCount"] for e in (saved, created)]
    assert rows == [100, 100]


def test_a_jdbc_table_is_written_and_read_under_its_address(captured, data):
    home, _ = data
    url = "jdbc:derby:memory:shop;create=true"

    def copy(spark):
        customers = spark.read.parquet(str(home / "customers"))
        customers.repartition(3).write.jdbc(url, "customers", properties=DERBY)
        spark.read.jdbc(url, "customers", properties=DERBY).write.parquet(str(home / "back"))

    written, read = captured.run(copy).actions
    assert (output(written)["namespace"], output(written)["name"]) == (
        "derby:memory:shop",
        "customers",
    )
    assert names(written["inputs"]) == [str(home / "customers")]
    assert output(written)["outputFacets"]["outputStatistics"]["rowCount"] == 7
    [table] = read["inputs"]
    assert (table["namespace"], table["name"]) == ("derby:memory:shop", "customers")
    assert table["inputFacets"]["inputStatistics"]["rowCount"] == 7


def test_jdbc_tables_with_quoted_names_are_seen_whole(captured, data):
    home, _ = data
    url = "jdbc:derby:memory:shop;create=true"

    def copy(spark):
        orders = spark.read.parquet(str(home / "orders"))
        orders.write.jdbc(url, '"Order Lines"', properties=DERBY)
        query = """(select l."id", 'from nowhere' as note from "Order Lines" l, "Order Lines" m
            where l."id" = m."id" /* from here */) q"""
        read = spark.read.jdbc(url, query, properties=DERBY)
        read.write.parquet(str(home / "quoted"))

    written, read = captured.run(copy).actions
    assert (output(written)["name"], names(read["inputs"])) == ("Order Lines", ["Order Lines"])
    assert output(written)["outputFacets"]["outputStatistics"]["rowCount"] == 100


def test_actions_that_bring_rows_to_the_driver_read_and_write_nothing(captured, data):
    home, _ = data

    def bring(spark):
        orders = spark.read.parquet(str(home / "orders"))
        orders.toPandas()
        orders.count()
        spark.sql(f"SELECT id FROM parquet.`{home / 'orders'}`").collect()
        spark.range(3).collect()

    task = captured.run(bring)
    assert [e["job"]["name"] for e in task.actions] == [
        "spark.to_pandas_orders",
        "spark.count_orders",
        "spark.collect_orders",
    ]
    assert all(names(e["inputs"]) == [str(home / "orders")] for e in task.actions)
    assert all(e["outputs"] == [] for e in task.actions)
    assert task.actions[2]["job"]["facets"]["sql"]["query"].startswith("SELECT id FROM")


def test_lineage_goes_through_pandas_functions(captured, data):
    home, _ = data

    def apply(spark):
        orders = spark.read.parquet(str(home / "orders")).select("customer", "amount")
        grouped = orders.groupBy("customer")
        totals = grouped.applyInPandas(lambda rows: rows, "customer int, amount double")
        totals.write.parquet(str(home / "applied"))

    both = {("orders", "customer"): ["TRANSFORMATION"], ("orders", "amount"): ["TRANSFORMATION"]}
    fields, _ = columns(captured.run(apply).action)
    assert fields == {"customer": both, "amount": both}


def test_each_batch_of_a_stream_is_an_action_that_reads_the_stream_s_folder(captured, data):
    home, _ = data

    def stream(spark):
        def write(batch, _):
            batch.selectExpr("id * 2 AS twice").write.mode("append").parquet(str(home / "twice"))

        reader = spark.readStream.schema("id int, customer int").parquet(str(home / "orders"))
        writer = reader.writeStream.foreachBatch(write).trigger(availableNow=True)
        writer.option("checkpointLocation", str(home / "checkpoint")).start().awaitTermination()

    action = captured.run(stream).action
    assert names(action["inputs"]) == [str(home / "orders")]
    assert columns(action)[0] == {"twice": {("orders", "id"): ["TRANSFORMATION"]}}


def test_a_command_in_a_batch_of_a_stream_is_one_action(captured, data):
    def work(spark):
        spark.sql("DROP TABLE IF EXISTS batched")
        reader = spark.readStream.schema("id int").parquet(str(captured.home / "orders"))
        writer = reader.writeStream.trigger(availableNow=True)
        saved = writer.foreachBatch(lambda rows, _: rows.write.saveAsTable("batched"))
        saved.start().awaitTermination()

    done = captured.run(work)
    assert done.error is None
    [action] = done.actions
    assert [Path(name).name for name in names(action["inputs"])] == ["orders"]
    assert Path(output(action)["name"]).name == "batched"


def test_a_failing_action_and_its_application_are_fail_with_the_message(captured, data):
    home, _ = data

    def fail(spark):
        orders = spark.read.parquet(str(home / "orders"))
        orders.selectExpr("CAST(raise_error('no such day') AS STRING) AS x").write.parquet(
            str(home / "bad")
        )

    task = captured.run(fail)
    assert task.action["eventType"] == "FAIL"
    assert "no such day" in task.action["run"]["facets"]["errorMessage"]["message"]
    assert output(task.action)["outputFacets"] == {}
    assert task.application["eventType"] == "FAIL"
    assert task.error is not None


def test_a_failure_of_python_code_fails_the_application_and_not_what_had_completed(captured):
    def fail(spark):
        spark.range(3).write.parquet(str(captured.home / "kept"))
        raise ValueError("user code")

    task = captured.run(fail)
    assert task.action["eventType"] == "COMPLETE"
    assert task.application["eventType"] == "FAIL"
    message = task.application["run"]["facets"]["errorMessage"]["message"]
    assert message == "ValueError: user code"


def test_each_attempt_of_a_task_has_its_application_and_actions(captured):
    context = task()

    def work(spark):
        spark.range(3).write.parquet(str(captured.home / "kept"), mode="overwrite")

    def fails(spark):
        work(spark)
        raise ValueError("the first time")

    captured.run(fails, context)
    captured.run(work, context)
    found = [e for e in captured.of(context) if e["eventType"] in FINAL]
    ends = {run_id(e): e["eventType"] for e in found if kind(e) == "APPLICATION"}
    assert list(ends.values()) == ["FAIL", "COMPLETE"]
    assert [parent_id(e) for e in found if kind(e) == "SQL_JOB"] == list(ends)


def test_a_cancelled_task_is_abort_and_frees_its_thread(captured):
    context, target = task(), str(captured.home / "cancelled")
    started = Event()
    seen = []

    def sleep(batches):
        import time

        for batch in batches:
            time.sleep(20)
            yield batch

    def work(spark):
        started.set()
        spark.range(4).mapInPandas(sleep, "id long").write.parquet(target)

    def cancel():
        started.wait(60)
        while not any(p.tasks for p in seen):
            seen.append(captured.sessions.progress(context.run_id))
        captured.sessions.cancel(context.run_id)

    canceller = Thread(target=cancel)
    canceller.start()
    cancelled = captured.run(work, context)
    canceller.join()
    assert seen[-1] == StageProgress(jobs=1, stages_done=0, stages=1, tasks_done=0, tasks=2)
    assert cancelled.action["eventType"] == "ABORT"
    assert cancelled.application["eventType"] == "ABORT"
    assert not files_of(target)


def test_tasks_in_parallel_threads_of_one_session_keep_their_own_actions(captured):
    barrier = Barrier(4, timeout=60)

    def write(name):
        def work(spark):
            barrier.wait()
            for i in range(4):
                spark.range(10).write.parquet(str(captured.home / f"{name}_{i}"))

        return name, captured.run(work)

    with ThreadPoolExecutor(4) as pool:
        done = list(pool.map(write, "abcd"))
    for name, done_task in done:
        assert [Path(output(e)["name"]).name for e in done_task.actions] == [
            f"{name}_{i}" for i in range(4)
        ]


def by_threads(write):
    threads = [Thread(target=write, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def by_new_pool(write):
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(write, range(3)))


def by_multiprocessing_pool(write):
    with ThreadPool(2) as pool:
        pool.map(write, range(3))


def by_asyncio(write):
    async def write_all():
        await asyncio.gather(*(asyncio.to_thread(write, number) for number in range(3)))

    asyncio.run(write_all())


def test_threads_and_pools_of_tasks_side_by_side_work_for_their_task(captured):
    shared = ThreadPoolExecutor(2)

    def by_shared_pool(write):
        list(shared.map(write, range(3)))

    ways = (by_threads, by_new_pool, by_multiprocessing_pool, by_asyncio, by_shared_pool)
    names = [f"{way.__name__}{half}" for way in ways for half in "ab"]
    barrier = Barrier(len(names), timeout=120)

    def run(name):
        def work(spark):
            barrier.wait()
            way = next(way for way in ways if name.startswith(way.__name__))
            way(lambda n: spark.range(3).write.parquet(str(captured.home / f"{name}_{n}")))

        return captured.run(work)

    with ThreadPoolExecutor(len(names)) as tasks, shared:
        done = dict(zip(names, tasks.map(run, names), strict=True))
    for name, done_task in done.items():
        assert done_task.error is None
        written = {Path(output(event)["name"]).name for event in done_task.actions}
        assert written == {f"{name}_{number}" for number in range(3)}


def test_a_thread_without_a_tag_works_for_the_only_open_task(captured):
    def work(spark):
        target = str(captured.home / "by_helper")
        helper = Thread(target=lambda: spark.range(3).write.parquet(target))
        helper.start()
        helper.join()

    assert captured.run(work).action["job"]["name"] == "spark.write_by_helper"


def test_a_task_that_never_uses_spark_has_no_application(captured):
    context = task()
    with captured.sessions.task(context):
        pass
    assert captured.of(context) == []


def test_an_emit_that_raises_hurts_no_task(captured):
    captured.refusing = True
    try:
        done = captured.run(lambda spark: spark.range(3).write.parquet(str(captured.home / "safe")))
    finally:
        captured.refusing = False
    assert done.error is None
    assert done.events == []
    assert files_of(captured.home / "safe")


def test_a_dead_jvm_fails_its_task_and_the_next_task_gets_a_new_one(captured):
    def kill(spark):
        process = spark.sparkContext._gateway.proc
        process.kill()
        process.wait()
        spark.range(3).write.parquet(str(captured.home / "never"))

    failed = captured.run(kill)
    assert failed.error is not None
    assert "\nSpark's JVM died (SIGKILL): " in describe_error(failed.error)
    assert failed.actions == []
    again = captured.run(lambda spark: spark.range(3).write.parquet(str(captured.home / "again")))
    assert again.action["eventType"] == "COMPLETE"
    assert again.application["eventType"] == "COMPLETE"
