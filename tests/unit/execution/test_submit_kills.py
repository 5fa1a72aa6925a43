"""Drivers on clusters are killed, also if that cannot be done at once."""

import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor, wait
from errno import ENOSPC
from io import StringIO
from pathlib import Path

import msgspec
import pytest

from lineagegraph.execution.emit import Emitted
from lineagegraph.execution.kinds import submit_work
from lineagegraph.execution.kinds.spark_submission import DriverCluster, SparkSubmission
from lineagegraph.execution.kinds.work import CommandFailed
from lineagegraph.process_environment import drivers
from lineagegraph.spark.cluster_drivers import cluster_manager
from tests.full_disks import files_of_at_most

CONF = {"spark.master": "spark://here:7077", "spark.submit.deployMode": "cluster"}


def script(file: Path, text: str) -> str:
    file.parent.mkdir(exist_ok=True)
    file.write_text(f"#!/bin/sh\n{text}\n")
    file.chmod(0o700)
    return str(file)


def submits(folder: Path, text: str, log: StringIO | None = None) -> submit_work.SubmitWork:
    """Return the work of a task whose `spark-submit` is a script."""
    manager = cluster_manager(CONF)
    assert manager is not None
    return submit_work.SubmitWork(
        SparkSubmission([script(folder / "submits", text)], {}, None, is_captured=False),
        DriverCluster(manager, CONF["spark.master"], ""),
        {"PATH": "/usr/bin:/bin"},
        drivers.DriverFile(folder, "task"),
        log or StringIO(),
        Emitted(),
    )


def test_a_driver_that_the_cluster_has_just_taken_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(submit_work, "spark_home", lambda: tmp_path)
    script(tmp_path / "bin" / "spark-class", f'echo "$@" > {tmp_path}/killed')
    work = submits(tmp_path, "sleep 1; echo submitted as driver-1; exec sleep 60")
    with ThreadPoolExecutor(1) as pool:
        ending = pool.submit(work.run)
        work.stop(lambda seconds: bool(wait({ending}, timeout=seconds).done), 5)
    with pytest.raises(CommandFailed):
        ending.result()
    assert (tmp_path / "killed").read_text().endswith("kill spark://here:7077 driver-1\n")
    assert not drivers.has_drivers(tmp_path)


def test_a_driver_whose_order_a_full_disk_does_not_take_is_killed_by_its_worker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, content: bytes) -> None:
        raise OSError(ENOSPC, "No space left on device", str(path))

    monkeypatch.setattr(submit_work, "spark_home", lambda: tmp_path)
    monkeypatch.setattr(drivers, "replace_private", full)
    script(tmp_path / "bin" / "spark-class", f'echo "$@" > {tmp_path}/killed')
    log = StringIO()
    work = submits(tmp_path, "echo submitted as driver-1; exit 1", log)
    with pytest.raises(CommandFailed):
        work.run()
    assert (tmp_path / "killed").read_text().endswith("kill spark://here:7077 driver-1\n")
    line = "if this worker is killed, the driver driver-1 runs on: "
    assert f"{line}{tmp_path}/drivers/task.json: No space left on device\n" in log.getvalue()


def test_a_full_disk_leaves_no_part_of_an_order(tmp_path: Path) -> None:
    file = drivers.DriverFile(tmp_path, "task")
    with files_of_at_most(20), pytest.raises(OSError, match="File too large") as caught:
        file.add(drivers.DriverKill(["true"], {}, "is gone"))
    assert caught.value.filename == str(tmp_path / "drivers" / "task.json")
    assert list((tmp_path / "drivers").iterdir()) == []
    assert file.kill() is None


# Fails the first two times, as while a master is away.
REFUSING = """
echo asked >> {folder}/asked
test $(wc -l < {folder}/asked) -gt 2
"""


def leave(folder: Path) -> None:
    """Leave a driver in the logs of a run."""
    command = [script(folder / "kills", REFUSING.format(folder=folder))]
    order = drivers.DriverKill(command, {"PATH": "/usr/bin:/bin"}, "is gone")
    drivers.DriverFile(folder, "task").add(order)


def test_a_driver_that_cannot_be_killed_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drivers, "_PAUSE_SECONDS", 0.1)
    leave(tmp_path)
    drivers.kill_drivers(tmp_path)
    assert (tmp_path / "asked").read_text().count("asked") == 3
    assert not drivers.has_drivers(tmp_path)


def test_a_driver_that_a_worker_leaves_is_killed_after_it(tmp_path: Path) -> None:
    leave(tmp_path)
    worker = "import sys; from lineagegraph.worker.guardian import guarding_processes as guarding\n"
    worker += "from pathlib import Path\nwith guarding('run/', Path(sys.argv[1])): pass"
    subprocess.run([sys.executable, "-c", worker, str(tmp_path)], check=True, timeout=60)
    deadline = time.monotonic() + 60
    while drivers.has_drivers(tmp_path):
        assert time.monotonic() < deadline
        time.sleep(0.1)


def test_the_driver_of_a_copied_folder_is_left_to_the_original(tmp_path: Path) -> None:
    original, copy = tmp_path / "original", tmp_path / "copy"
    original.mkdir()
    leave(original)
    shutil.copytree(original, copy)
    drivers.kill_drivers(copy)
    assert not drivers.has_drivers(copy)
    assert not (original / "asked").exists()
    assert drivers.has_drivers(original)


def test_the_driver_of_another_worker_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drivers, "_PAUSE_SECONDS", 0.1)
    leave(tmp_path)
    other = drivers.DriverKill(["false"], {}, "of another worker")
    taken = script(tmp_path / "takes", f"cp {tmp_path}/other {tmp_path}/drivers/task.json; exit 1")
    (tmp_path / "other").write_bytes(msgspec.json.encode(other))
    drivers.DriverFile(tmp_path, "task").add(drivers.DriverKill([taken], {}, "is gone"))
    drivers.kill_drivers(tmp_path)
    assert drivers.has_drivers(tmp_path)
