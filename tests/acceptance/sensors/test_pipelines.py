"""Pipelines that wait for sensors, with daemons and workers that are processes."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from lineagegraph.graph import Graph
from lineagegraph.neo4j_server import ServerAddress
from tests.acceptance.batches.yard import Yard, open_yard
from tests.acceptance.processes import until


@pytest.fixture
def yard(server: ServerAddress, graph: Graph, tmp_path: Path) -> Iterator[Yard]:
    """A folder of pipelines, and a daemon with one slot, whose runs park as soon as they wait."""
    parked = {"LINEAGEGRAPH_RESTING_WORKERS": "0"}
    with open_yard(server, graph, tmp_path, slots=1, **parked) as found:
        yield found


def test_twenty_waits_for_one_thing_hold_no_slot_and_go_on_where_they_were(yard: Yard) -> None:
    flag = yard.commands.folder / "flag"
    yard.sync(f"""
    first = work("first")
    waits = [
        lg.sensor("file", f"wait{{n}}", path="{flag}", poke_interval="1s") for n in range(20)
    ]
    inside = lg.group("waits", tasks=[*waits, work("beside")], after=first)
    lg.pipeline("landing", tasks=[first, inside, work("last", after=inside)], concurrency=1)
    lg.pipeline("other", tasks=[work("other")])
    """)
    yard.up()
    yard.submit("landing")
    until(lambda: yard.launch("landing") == "PARKED", 90)
    assert yard.ran == ["first", "beside"]
    rows = yard.graph.query(
        "MATCH (s:Sensor)<-[w:WAITS_ON]-(:Run {state: 'WAITING'})"
        " RETURN s.id AS id, count(w) AS waits"
    )
    assert [row["waits"] for row in rows] == [20]
    yard.submit("other")
    yard.until("other", "COMPLETED")
    flag.touch()
    yard.until("landing", "COMPLETED")
    assert yard.ran == ["first", "beside", "other", "last"]
    assert yard.states("landing.waits") == ["COMPLETED"]
    assert yard.states("landing.waits.wait7") == ["COMPLETED"]


def test_a_pipeline_starts_when_what_its_trigger_watches_turns_true(yard: Yard) -> None:
    flag = yard.commands.folder / "flag"
    yard.sync(f"""
    from lineagegraph import on
    lg.pipeline(
        "arrivals",
        tasks=[work("arrivals")],
        trigger=on.sensor("file", path="{flag}", poke_interval="1s"),
    )
    """)
    yard.up()
    until(
        lambda: yard.graph.query("MATCH (s:Sensor) WHERE s.is_true = false RETURN s.id AS id"), 60
    )
    flag.touch()
    yard.until("arrivals", "COMPLETED")
    assert yard.ran == ["arrivals"]
