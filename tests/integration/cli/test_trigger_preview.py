"""`trigger preview` says when a trigger would have fired."""

import json
from datetime import UTC, datetime, timedelta

from lineagegraph.graph import Graph
from lineagegraph.model.runs.states import RunState
from lineagegraph.model.triggers.condition import OnStatus
from lineagegraph.model.triggers.trigger import Argument, Trigger
from lineagegraph.neo4j_server import ServerAddress
from tests.command_line import CommandLine
from tests.integration.scheduling.rules import end, write_rules


def test_a_preview_says_when_why_and_with_what(graph: Graph, server: ServerAddress) -> None:
    now = datetime.now(UTC)
    for days in (9, 2, 1):
        at = now - timedelta(days=days)
        end(graph, "load", at=at, now=now, own={"params": {"region": f"region {days}"}})
    place = Argument(parameter="place", key="region")
    when = OnStatus(job="load", statuses=(RunState.COMPLETED,))
    graph.write(write_rules, {"report": Trigger(when=when, arguments=(place,))}, now)
    lineagegraph = CommandLine(server)
    text = lineagegraph("trigger", "preview", "report")
    assert (text.returncode, text.stderr) == (0, "")
    assert "region 9" not in text.stdout
    assert '{"place":"region 2"}' in text.stdout
    answered = json.loads(
        lineagegraph("trigger", "preview", "report", "--days", "30", "--json").stdout
    )
    assert [one["parameters"]["place"] for one in answered["firings"]] == [
        "region 9",
        "region 2",
        "region 1",
    ]
    assert graph.query("MATCH (f:Firing) RETURN f") == []
