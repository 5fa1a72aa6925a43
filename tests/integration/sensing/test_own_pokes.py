"""A run that pokes its sensors itself, in the process of whoever started it."""

import asyncio
import threading
from pathlib import Path

from lineagegraph.graph import Graph
from lineagegraph.model.new_items import NewItems
from lineagegraph.sensors import Sensor, make_sensor, sensor_id
from lineagegraph.sensors.context import open_context
from lineagegraph.sensors.node import keep_sensor
from lineagegraph.sensors.poke import poke_sensor
from lineagegraph.settings import Settings
from lineagegraph.store.sensors import sensors
from tests.acceptance.processes import until
from tests.project import Project

TEXT = """
lg.pipeline("daily", tasks=[lg.sensor("file", "arrives", path={path!r})])
"""


def count_threads(name: str) -> int:
    return [thread.name for thread in threading.enumerate()].count(name)


def test_no_thread_of_it_is_left_when_it_is_over(graph: Graph, tmp_path: Path) -> None:
    project = Project(tmp_path / "etl", graph, tmp_path / "home", smart_sensors=False)
    file = tmp_path / "flag"
    file.write_text("here")
    project.state(TEXT.format(path=str(file)))
    run = project.run("daily")
    assert project.tasks(run) == {"arrives": "COMPLETED"}
    until(lambda: count_threads("pokes") == 0, seconds=5)


NEW = """
lg.pipeline(
    "daily",
    tasks=[
        lg.sensor(
            "file", "new", path={path!r}, each=True, mode="exclusive", timeout="1s", soft_fail=True
        )
    ],
)
"""


def test_items_behind_the_cursor_of_the_sensor_are_not_new(graph: Graph, tmp_path: Path) -> None:
    project = Project(tmp_path / "etl", graph, tmp_path / "home")
    (tmp_path / "a.csv").touch()
    new = make_sensor("file", {"path": str(tmp_path / "*.csv"), "each": True})
    graph.write(keep_sensor, new, None)
    found = asyncio.run(poke_once(new, project.settings))
    graph.write(sensors.set_cursor, id=sensor_id(new), cursor=found.cursor, now=None)
    project.state(NEW.format(path=str(tmp_path / "*.csv")))
    assert project.tasks(project.run("daily")) == {"new": "SKIPPED"}
    (tmp_path / "b.csv").touch()
    assert project.tasks(project.run("daily")) == {"new": "COMPLETED"}


async def poke_once(sensor: Sensor, settings: Settings) -> NewItems:
    async with open_context(settings) as context:
        found = await poke_sensor(sensor, context)
    assert isinstance(found, NewItems)
    return found
