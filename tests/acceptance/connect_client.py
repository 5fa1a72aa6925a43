"""A client of Spark Connect: `connect_client URL HOME OUTPUT` works as tasks, and writes events.

It is a process of its own, as one that had a Connect session can have no driver.
"""

import json
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from threading import Thread, Timer
from typing import Any

from pyspark.sql import SparkSession
from pyspark.sql import functions as F  # noqa: N812

from lineagegraph.spark.builder import building
from lineagegraph.spark.connect.sessions import ConnectSessions
from lineagegraph.spark.session_kinds import build_session
from lineagegraph.spark.sessions import SparkSessions
from tests.acceptance.captured import Captured, task


class Rows:
    def eval(self, rows: int):
        yield from ((n,) for n in range(rows))


def files(spark, home):
    spark.range(10).write.mode("overwrite").parquet("raw")
    rows = spark.read.parquet("raw").where("id > 3")
    rows.write.parquet(f"{home}/days/2026-11-22")


def stopped(spark, home):
    spark.stop()


def tables(spark, home):
    spark.range(5).write.saveAsTable("numbers")
    spark.table("numbers").createOrReplaceTempView("few")
    spark.sql("CREATE VIEW all_numbers AS SELECT * FROM numbers")
    spark.sql("CREATE TEMP VIEW both AS SELECT f.id FROM few f JOIN all_numbers a ON f.id = a.id")
    spark.sql("CREATE TABLE copy USING parquet AS SELECT * FROM both")


def replaced_views(spark, home):
    spark.table("numbers").createOrReplaceTempView("replaced")
    spark.table("replaced").createOrReplaceTempView("before")
    spark.table("replaced").where("id > 1").createOrReplaceTempView("replaced")
    spark.table("replaced").collect()
    spark.table("copy").createOrReplaceTempView("replaced")
    spark.table("before").collect()


def hidden(spark, home):
    spark.sql("WITH numbers AS (SELECT * FROM numbers) SELECT * FROM numbers").collect()
    spark.table("copy").where("id IN (SELECT id FROM numbers)").toPandas()
    given = spark.read.parquet("raw")
    spark.sql("SELECT id FROM {given} WHERE id NOT IN (SELECT id FROM copy)", given=given).show()


def changes(spark, home):
    spark.sql("INSERT OVERWRITE copy SELECT * FROM numbers")
    spark.sql("ALTER TABLE copy RENAME TO copied")
    spark.sql("ALTER TABLE copied ADD COLUMNS (more int)")
    spark.sql("TRUNCATE TABLE copied")
    spark.sql("DROP TABLE copied")
    spark.sql("DROP TABLE IF EXISTS copied")
    spark.sql("SHOW TABLES").collect()
    spark.sql("SELECT * FROM numbers")  # asks for no rows
    spark.range(3).collect()


def not_understood(spark, home):
    spark.sql("TABLE numbers").collect()
    spark.udtf.register("python_rows", F.udtf(Rows, returnType="id int"))
    spark.sql("SELECT * FROM python_rows(1)").collect()


def unknown_format(spark, home):
    spark.table("numbers").write.format("sometimes").save("x")


def failing(spark, home):
    spark.table("numbers").selectExpr("raise_error('no')").write.saveAsTable("never")


def threads(spark, home):
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda n: spark.range(n).write.parquet(f"thread{n}"), (1, 2)))
    thread = Thread(target=lambda: spark.range(3).write.parquet("thread3"))
    thread.start()
    thread.join()


def streams(spark, home):
    rows = spark.readStream.schema("id long").parquet("raw")
    kept = rows.writeStream.option("checkpointLocation", f"{home}/check1").format("parquet")
    kept.trigger(availableNow=True).start("streamed").awaitTermination()
    left = rows.writeStream.option("checkpointLocation", f"{home}/check2").format("parquet")
    spark.conf.set("spark.sql.streaming.pollingDelay", "2s")
    left.start("endless")


def _own_session(url: str, home: Path) -> Any:
    """Work in a session that the task opens itself, in a run whose session is another."""
    captured = Captured(home)
    captured.sessions = SparkSessions({"spark.master": "local[1]"}, captured._take)
    context = task()
    asked = partial(build_session, captured.sessions)
    with captured.sessions.task(context), building(asked):
        SparkSession.builder.remote(url).getOrCreate().table("numbers").count()
    return captured.of(context)


def _cancelled(captured: Captured) -> tuple[Any, str]:
    context = task()
    slow = F.udf(lambda n: __import__("time").sleep(20) or n, "long")

    def work(spark):
        Timer(3, lambda: captured.sessions.cancel(context.run_id)).start()
        spark.table("numbers").select(slow("id")).write.parquet("slow")

    done = captured.run(work, context)
    return done.events, str(done.error)


SCENARIOS: tuple[Callable[[Any, Path], None], ...] = (
    *(files, stopped, tables, replaced_views, hidden, changes, not_understood),
    *(unknown_format, failing, threads, streams),
)


def main(url: str, home: Path, output: Path) -> None:
    captured = Captured(home)
    captured.sessions = ConnectSessions({"spark.remote": url}, captured._take)
    told = {}
    for scenario in SCENARIOS:
        done = captured.run(lambda spark, scenario=scenario: scenario(spark, home))
        told[scenario.__name__] = (done.events, str(done.error or ""))
    told["cancelled"] = _cancelled(captured)
    captured.sessions.stop()
    told["own_session"] = (_own_session(url, home), "")
    output.write_text(json.dumps(told))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))
