"""A driver whose id is on its way while its task is stopped."""

from concurrent.futures import ThreadPoolExecutor, wait
from io import StringIO
from pathlib import Path

import pytest

from lineagegraph.execution.emit import Emitted
from lineagegraph.execution.kinds import submit_work
from lineagegraph.execution.kinds.spark_submission import DriverCluster, SparkSubmission
from lineagegraph.execution.kinds.work import CommandFailed
from lineagegraph.process_environment.drivers import DriverFile
from lineagegraph.spark.cluster_drivers import cluster_manager

CONF = {"spark.master": "spark://here:7077", "spark.submit.deployMode": "cluster"}


def script(file: Path, text: str) -> str:
    file.parent.mkdir(exist_ok=True)
    file.write_text(f"#!/bin/sh\n{text}\n")
    file.chmod(0o700)
    return str(file)


def test_a_driver_that_the_cluster_has_just_taken_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(submit_work, "spark_home", lambda: tmp_path)
    script(tmp_path / "bin" / "spark-class", f'echo "$@" > {tmp_path}/killed')
    manager = cluster_manager(CONF)
    assert manager is not None
    command = [script(tmp_path / "submits", "sleep 1; echo submitted as driver-1; exec sleep 60")]
    work = submit_work.SubmitWork(
        SparkSubmission(command, {}, None, is_captured=False),
        DriverCluster(manager, CONF["spark.master"], ""),
        {"PATH": "/usr/bin:/bin"},
        DriverFile(tmp_path, "task"),
        StringIO(),
        Emitted(),
    )
    with ThreadPoolExecutor(1) as pool:
        ending = pool.submit(work.run)
        work.stop(lambda seconds: bool(wait({ending}, timeout=seconds).done), 5)
    with pytest.raises(CommandFailed):
        ending.result()
    assert (tmp_path / "killed").read_text().endswith("kill spark://here:7077 driver-1\n")
    assert not list(tmp_path.rglob("drivers/*.json"))
