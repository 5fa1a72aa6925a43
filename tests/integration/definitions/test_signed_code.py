"""Pickled code in the graph is executed only if this installation signed it."""

import base64
import pickle
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from lineagegraph.cli.run.sync import sync_path
from lineagegraph.code.load import KeptFunctions
from lineagegraph.errors import DefinitionError, PokeFailed
from lineagegraph.graph import Graph
from lineagegraph.model.pipelines.definition import PythonTask
from lineagegraph.model.pipelines.task_code import TASK_CODE, TaskCode, task_code
from lineagegraph.sensors import Sensor, decode_sensor, make_sensor
from lineagegraph.sensors.node import keep_sensor
from lineagegraph.settings import Settings
from lineagegraph.signing import sign
from lineagegraph.store.pipelines import task_codes
from lineagegraph.store.runs import launches
from tests.definitions import daily, define, put_in_force
from tests.integration.definitions.test_task_codes import version_of
from tests.integration.sensors.looks import look_at


class Touches:
    """Pickled, it makes a file when it is loaded."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def __reduce__(self) -> Any:
        return open, (str(self._file), "w")


def evil(file: Path) -> bytes:
    return pickle.dumps({"t": Touches(file)}) + pickle.dumps(None)


def keep(graph: Graph, content: bytes) -> TaskCode:
    code = task_code(content, [], ["t"])
    code = replace(code, signature=sign(TASK_CODE, code.signed))
    put_in_force(graph, version_of(daily()), code=code)
    return code


def begin(graph: Graph) -> TaskCode | None:
    job = define(graph, daily("other"))
    graph.write(launches.merge_queued, run_id="r", job_key=job, params=None, only=[], now=None)
    graph.query("MATCH (r:Run {id: 'r'}) SET r.wanted_version = 'v'", write=True)
    return graph.write(task_codes.claim_task_code, id="r")


def load(stored: TaskCode | None, folder: Path) -> Any:
    return KeptFunctions(folder, stored)(PythonTask(module="m", qualname="t"), "t")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("c.content = $evil", "was changed, or signed with another key"),
        ("c.content = $evil, c.signature = null", "is not signed: sync its definition again"),
        ("c.content = $evil, c.signature = $other", "was changed, or signed with another key"),
    ],
)
def test_functions_of_tasks_that_were_changed_in_the_graph_are_not_loaded(
    graph: Graph, tmp_path: Path, change: str, said: str
) -> None:
    sound = keep(graph, pickle.dumps({"t": len}) + pickle.dumps(None))
    assert load(begin(graph), tmp_path) is len
    ran = tmp_path / "ran"
    values = {"evil": evil(ran), "other": sign("another purpose", evil(ran))}
    graph.query(f"MATCH (c:TaskCode) SET {change}", values, write=True)
    with pytest.raises(DefinitionError, match=said):
        load(begin(graph), tmp_path)
    assert not ran.exists()
    keep(graph, sound.content)  # as `sync` does
    assert load(begin(graph), tmp_path) is len


def test_a_function_of_a_sensor_that_was_changed_in_the_graph_is_not_loaded(
    graph: Graph, tmp_path: Path
) -> None:
    def is_there() -> bool:
        return True

    def stored() -> Sensor:
        (row,) = graph.query("MATCH (s:Sensor) RETURN s.kind AS kind, s.fields AS fields")
        return decode_sensor(row["kind"], row["fields"])

    sensor = make_sensor("python", {"function": is_there})
    graph.write(keep_sensor, sensor, None)
    assert look_at(stored())
    ran = tmp_path / "ran"
    content = base64.b64encode(pickle.dumps(Touches(ran))).decode()
    signature = sensor.pickle.partition(":")[0]  # type: ignore[attr-defined]
    for changed, said in ((content, "is not signed"), (f"{signature}:{content}", "was changed")):
        fields = graph.query("MATCH (s:Sensor) RETURN s.fields AS text")[0]["text"]
        known = stored().pickle  # type: ignore[attr-defined]
        values = {"text": fields.replace(known, changed)}
        graph.query("MATCH (s:Sensor) SET s.fields = $text", values, write=True)
        with pytest.raises(PokeFailed, match=said):
            look_at(stored())
    assert not ran.exists()
    graph.write(keep_sensor, sensor, None)
    assert look_at(stored())


DEFINITION = """
import lineagegraph as lg
from lineagegraph import on

@lg.task
def load():
    print("loaded")

def is_there():
    return True

lg.pipeline("p", tasks=[load], trigger=on.sensor(is_there))
"""


def test_code_from_before_signatures_is_signed_by_the_next_sync_of_its_unchanged_file(
    graph: Graph, tmp_path: Path, settings: Settings
) -> None:
    file = tmp_path / "etl.py"
    file.write_text(DEFINITION)
    sync_path(graph, settings, file)
    rows = graph.query("MATCH (s:Sensor) RETURN s.fields AS text")
    sensor = decode_sensor("python", rows[0]["text"])
    signature = sensor.pickle.partition(":")[0]  # type: ignore[attr-defined]
    values = {"signature": f"{signature}:"}
    graph.query(
        "MATCH (c:TaskCode) SET c.signature = null WITH count(*) AS n "
        "MATCH (s:Sensor), (t:Trigger) SET s.fields = replace(s.fields, $signature, ''), "
        "t.rule = replace(t.rule, $signature, '')",
        values,
        write=True,
    )
    sync_path(graph, settings, file)
    (found,) = graph.query(
        "MATCH (c:TaskCode), (s:Sensor) RETURN c.signature AS signature, s.fields AS fields"
    )
    assert found["signature"]
    assert look_at(decode_sensor("python", found["fields"]))
