"""How far Spark is, in a file that is there while a run goes on."""

from threading import Event

from lineagegraph.execution.stages_file import StagesFile, read_stages_file


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
    assert read_stages_file(tmp_path) == {}
    assert list(tmp_path.iterdir()) == []
