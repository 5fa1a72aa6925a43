"""Retries told to a web server, with a real daemon and real workers that die."""

import json

from lineagegraph.graph import Graph
from lineagegraph.reading.sync import sync_path
from lineagegraph.settings import Settings
from tests.acceptance.daemon.looks import state
from tests.acceptance.processes import Commands, until
from tests.receiver import Receiver

PIPELINE = """
import os
import time
import lineagegraph as lg

def attempt():
    number = len(os.listdir("FOLDER/attempts")) + 1
    open(f"FOLDER/attempts/{number}", "w").close()
    return number

@lg.task(retries=3, retry_delay=0.5, timeout=3)
def shaky():
    match attempt():
        case 1:
            raise ValueError("no rows")
        case 2:
            os._exit(7)
        case 3:
            time.sleep(60)

lg.pipeline("shaky", tasks=[shaky])
"""


def test_each_attempt_that_another_follows_is_told_once(
    commands: Commands, graph: Graph, receiver: Receiver
) -> None:
    file = commands.folder / "shaky.py"
    (commands.folder / "attempts").mkdir()
    file.write_text(PIPELINE.replace("FOLDER", str(commands.folder)))
    sync_path(graph, Settings(home=commands.folder / "home"), file)
    routes = json.dumps([{"on": ["retry", "completed"], "jobs": ["shaky*"], "to": receiver.url}])
    assert commands("up", "--detach", LINEAGEGRAPH_NOTIFY=routes).returncode == 0
    commands("run", "shaky")
    until(lambda: state(graph, "shaky") == "COMPLETED", 120)
    until(lambda: len(receiver.bodies) == 4, 60)
    said = [json.loads(body) for body in receiver.bodies]
    assert {one["type"] for one in said} == {"run.retry", "run.completed"}
    retries = sorted(
        (one["data"] for one in said if one["type"] == "run.retry"), key=lambda d: d["attempt"]
    )
    assert [one["job"] for one in retries] == ["shaky.shaky"] * 3
    assert [one["attempt"] for one in retries] == ["1", "2", "3"]
    messages = [one["message"] for one in retries]
    for message, part in zip(messages, ("no rows", "exit status 7", "3 s"), strict=True):
        assert part in message
