"""What a real Airflow sends, and Spark, dbt and another DAG that its tasks start."""

import json
import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest
import requests

from lineagegraph.graph import Graph
from tests.acceptance.processes import until
from tests.acceptance.producers import truth
from tests.acceptance.producers.environments import HERE, programs_of
from tests.acceptance.producers.spark_submit import APPLICATION, spark_environment


def airflow_environment(endpoint: str, folder: Path) -> dict[str, str]:
    airflow, dbt = programs_of("airflow"), programs_of("dbt")
    project = shutil.copytree(HERE / "dbt", folder / "project")
    transport = {"type": "http", "url": endpoint}
    spark = spark_environment()
    ports = [str(free_port()) for _ in range(3)]
    return spark | {
        "PATH": os.pathsep.join([str(airflow), spark["PATH"], str(dbt)]),
        "AIRFLOW_HOME": str(folder / "airflow"),
        "AIRFLOW__CORE__DAGS_FOLDER": str(HERE / "airflow" / "dags"),
        "AIRFLOW__CORE__DAGS_ARE_PAUSED_AT_CREATION": "false",
        "AIRFLOW__CORE__LOAD_EXAMPLES": "false",
        "AIRFLOW__CORE__PARALLELISM": "2",
        "AIRFLOW__CORE__EXECUTION_API_SERVER_URL": f"http://127.0.0.1:{ports[0]}/execution/",
        "AIRFLOW__API__HOST": "127.0.0.1",
        "AIRFLOW__API__PORT": ports[0],
        "AIRFLOW__LOGGING__WORKER_LOG_SERVER_PORT": ports[1],
        "AIRFLOW__LOGGING__TRIGGER_LOG_SERVER_PORT": ports[2],
        "AIRFLOW__OPENLINEAGE__NAMESPACE": "scheduler",
        "AIRFLOW__OPENLINEAGE__TRANSPORT": json.dumps(transport),
        "AIRFLOW_CONN_SPARK_DEFAULT": json.dumps({"conn_type": "spark", "host": "local[1]"}),
        "DBT_PROFILES_DIR": str(project),
        "DBT_SEND_ANONYMOUS_USAGE_STATS": "false",
        "OPENLINEAGE_URL": endpoint,
        "OPENLINEAGE_NAMESPACE": "dbt",
        "SHOP_APPLICATION": str(APPLICATION),
        "SHOP_FOLDER": str(folder),
        "SHOP_DBT": str(project),
    }


def free_port() -> int:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        return int(bound.getsockname()[1])


def trigger(environment: dict[str, str]) -> None:
    """Start the DAG, once Airflow has an API for its tasks and has read the DAG's file."""
    health = f"http://127.0.0.1:{environment['AIRFLOW__API__PORT']}/api/v2/monitor/health"
    command = ["airflow", "dags", "trigger", "shop"]
    until(lambda: is_up(health), seconds=180)
    until(lambda: subprocess.run(command, env=environment).returncode == 0, seconds=120)


def is_up(url: str) -> bool:
    try:
        return requests.get(url, timeout=5).ok
    except requests.ConnectionError:
        return False


@contextmanager
def airflow(environment: dict[str, str], log: Path) -> Iterator[None]:
    with log.open("wb") as output:
        process = psutil.Popen(
            ["airflow", "standalone"], env=environment, stdout=output, stderr=subprocess.STDOUT
        )
        try:
            yield
        finally:
            family = [process, *process.children(recursive=True)]
            for member in family:
                member.terminate()
            for member in psutil.wait_procs(family, timeout=10)[1]:
                member.kill()


@pytest.mark.soak
def test_dags_task_groups_spark_dbt_and_triggered_dags_are_one_hierarchy(
    endpoint: str, graph: Graph, tmp_path: Path
) -> None:
    log = tmp_path / "airflow.log"

    def state(job: str) -> str:
        return truth.jobs(graph).get(job, ("", "", ""))[2]

    environment = airflow_environment(endpoint, tmp_path)
    with airflow(environment, log):
        trigger(environment)
        until(lambda: state("shop") in ("COMPLETED", "FAILED"), seconds=300)
        until(lambda: state("shop.load.refresh.refresh") == "COMPLETED", seconds=60)
    found = truth.jobs(graph)
    assert {state for _, _, state in found.values()} <= {"COMPLETED", "RUNNING"}, log.read_text()
    spark, dbt = "shop.load.spark.nightly", "shop.load.dbt.dbt-run-shop"
    assert found["shop"] == ("scheduler", "pipeline", "COMPLETED")
    assert found["shop.load.spark"] == ("scheduler", "task", "COMPLETED")
    assert found["shop.load.refresh.refresh"] == ("scheduler", "pipeline", "COMPLETED")
    assert found[spark] == ("spark", "application", "COMPLETED")
    above = truth.parents(graph)
    assert {job: above[job] for job in above if job.count(".") <= 2} == {
        "shop": [],
        "shop.load.spark": ["shop"],
        "shop.load.dbt": ["shop"],
        "shop.load.refresh": ["shop"],
    }
    assert above["shop.load.refresh.refresh"] == ["shop.load.refresh"]
    assert above["shop.load.refresh.refresh.reports"] == ["shop.load.refresh.refresh"]
    actions = {job for job in above if job.startswith(f"{spark}.")}
    models = {job for job in above if job.startswith(f"{dbt}.")}
    assert above == above | {spark: ["shop.load.spark"], dbt: ["shop.load.dbt"]}
    assert above == above | {job: [spark] for job in actions} | {job: [dbt] for job in models}
    assert len(actions) >= 2
    assert len(models) == 3
    assert truth.columns(graph) >= {
        "orders.amount > totals.total",
        "shop.main.orders.amount > shop.main.totals.total",
    }
