"""What Spark wrote for a run is written again, byte for byte, whatever became of the code since."""

import shutil
from pathlib import Path

import pytest

from lineagegraph.errors import RerunRefused
from lineagegraph.graph import Graph
from lineagegraph.reading.sync import sync_path
from lineagegraph.reruns.files import compare_outputs
from tests.project import Project

SHAPE = """
from pathlib import Path

RATES = [float(line) for line in Path(__file__).with_name("rates.csv").read_text().split()]

def shaped(fares):
    from pyspark.sql import functions as F
    rate = F.element_at(F.array(*map(F.lit, RATES)), (fares.id % len(RATES) + 1).cast("int"))
    return fares.select(fares.id, (fares.id * rate).alias("fare")).orderBy("id")
"""
FLOWS = """
from shape import shaped

@lg.task
def fares(spark, out: str):
    shaped(spark.range(0, 1000, 1, 2)).coalesce(1).write.parquet(out)

lg.pipeline("fares", tasks=[fares], params={"out": str}, spark={
    "spark.master": "local[1]", "spark.ui.enabled": "false", "spark.sql.shuffle.partitions": "2",
    "spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"})
"""


class Fares:
    """A project whose one task writes one Parquet file, and what its runs wrote."""

    def __init__(self, project: Project, out: Path) -> None:
        self.project = project
        self.out = out
        self.write("shape.py", SHAPE)
        self.write("rates.csv", "1.25\n1.5\n")
        project.state(FLOWS)

    def write(self, file: str, text: str) -> None:
        (self.project.folder / file).write_text(text)

    def sync(self) -> None:
        sync_path(self.project.graph, self.project.settings, self.project.folder)

    def run(self) -> tuple[str, bytes]:
        run = self.project.run("fares", out=str(self.out))
        return run, self._take()

    def rerun(self, run: str) -> bytes:
        self.project.rerun(run, policy="as_was")
        return self._take()

    def _take(self) -> bytes:
        (file,) = self.out.glob("part-*.parquet")
        content = file.read_bytes()
        shutil.rmtree(self.out)
        return content


@pytest.fixture
def fares(graph: Graph, tmp_path: Path) -> Fares:
    return Fares(Project(tmp_path / "project", graph, tmp_path / "home"), tmp_path / "out")


def test_a_rerun_as_it_was_writes_the_same_bytes_though_its_files_were_edited_moved_and_deleted(
    fares: Fares,
) -> None:
    folder = fares.project.folder
    run, first = fares.run()
    fares.write("rates.csv", "2.25\n2.5\n")
    fares.write("shape.py", SHAPE.replace("fares.id * rate", "fares.id + rate"))
    fares.sync()
    _, other = fares.run()
    assert other != first, "the edit is active"
    assert fares.rerun(run) == first
    (folder / "moved").mkdir()
    for name in ("flows.py", "shape.py", "rates.csv"):
        (folder / name).rename(folder / "moved" / name)
    fares.sync()
    assert fares.rerun(run) == first
    shutil.rmtree(folder)
    folder.mkdir()
    fares.sync()
    assert fares.rerun(run) == first


COPY = """
@lg.task
def copy(spark, lake: str):
    spark.read.csv(lake + "/in").coalesce(1).write.mode("overwrite").parquet(lake + "/out")

lg.pipeline("copy", tasks=[copy], params={"lake": str}, spark={
    "spark.master": "local[1]", "spark.ui.enabled": "false",
    "spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"})
"""


def test_a_file_two_folders_down_that_changed_in_place_is_noticed(
    graph: Graph, tmp_path: Path
) -> None:
    project = Project(tmp_path / "project", graph, tmp_path / "home")
    project.state(COPY)
    file = tmp_path / "lake" / "in" / "year=2026" / "month=1" / "data.csv"
    file.parent.mkdir(parents=True)
    file.write_text("1\n2\n")
    run = project.run("copy", lake=str(tmp_path / "lake"))
    same = project.rerun(run, policy="as_was")
    assert graph.read(compare_outputs, run, same) == {str(tmp_path / "lake" / "out"): "same"}
    file.write_text("1\n3\n")
    with pytest.raises(RerunRefused, match="lake/in has changed since the run read it"):
        project.rerun(run, policy="as_was")


@pytest.mark.parametrize("folder", ["2026-11-22", "day=22"])
def test_only_the_day_that_a_run_read_is_compared(
    graph: Graph, tmp_path: Path, folder: str
) -> None:
    project = Project(tmp_path / "project", graph, tmp_path / "home")
    project.state(COPY.replace('"/in"', f'"/in/{folder}"'))
    days = tmp_path / "lake" / "in"
    file, other = (days / name / "data.csv" for name in (folder, folder.replace("22", "23")))
    for one in (file, other):
        one.parent.mkdir(parents=True)
        one.write_text("1\n2\n")
    run = project.run("copy", lake=str(tmp_path / "lake"))
    other.write_text("1\n3\n")
    same = project.rerun(run, policy="as_was")
    assert graph.read(compare_outputs, run, same) == {str(tmp_path / "lake" / "out"): "same"}
    file.write_text("1\n3\n")
    with pytest.raises(RerunRefused, match=f"in/{folder} has changed since the run read it"):
        project.rerun(run, policy="as_was")
