"""How far Spark is, in a file that is there while a run goes on."""

from threading import Event

import msgspec

from lineagegraph.execution.stages_file import StagesFile, read_stages_files


def test_stages_that_come_after_the_end_are_not_written(tmp_path):
    asked, over = Event(), Event()

    def read():
        asked.set()
        over.wait()
        return {"run": []}

    with StagesFile(tmp_path, read) as file:
        assert asked.wait(10)
    over.set()
    file._thread.join(10)
    assert read_stages_files(tmp_path) == {}
    assert list(tmp_path.iterdir()) == []


def test_the_stages_of_all_processes_of_a_run_are_read(tmp_path):
    stage = {"id": 1, "job": 0, "name": "count", "tasks": 2, "active": 1, "done": 1, "failed": 0}
    for process, run in ((7, "a"), (8, "b")):
        (tmp_path / f"stages-{process}.json").write_bytes(msgspec.json.encode({run: [stage]}))
    found = read_stages_files(tmp_path)
    assert {run: stages[0].done for run, stages in found.items()} == {"a": 1, "b": 1}
