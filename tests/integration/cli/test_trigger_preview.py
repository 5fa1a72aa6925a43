"""`trigger preview` says when a trigger would have fired."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec

from lineagegraph.graph import Graph
from lineagegraph.model.runs.states import RunState
from lineagegraph.model.triggers.condition import And, OnEvent, OnStatus
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


def test_a_change_is_told_before_it_is_saved(
    graph: Graph, server: ServerAddress, tmp_path: Path
) -> None:
    now = datetime.now(UTC)
    end(graph, "load", at=now - timedelta(days=2), now=now)
    end(graph, "load", "FAIL", at=now - timedelta(days=1), now=now)
    done, failed = (
        OnStatus(job="load", statuses=(state,)) for state in (RunState.COMPLETED, RunState.FAILED)
    )
    go = OnEvent(name="go")
    written = now - timedelta(hours=1)
    graph.write(write_rules, {"report": Trigger(when=And(operands=(done, go)) | failed)}, written)
    end(graph, "load", at=now)
    other = tmp_path / "new.json"
    other.write_bytes(msgspec.json.encode(Trigger(when=failed | go)))
    lineagegraph = CommandLine(server)
    told = lineagegraph("trigger", "preview", "report", "--against", str(other), "--json")
    change = json.loads(told.stdout)
    assert (change["same"], change["lost"], change["added"]) == (1, [], [])
    assert change["forgotten"] == [{"text": "load COMPLETED", "occurrences": 1}]
    other.write_bytes(msgspec.json.encode(Trigger(when=done)))
    text = lineagegraph("trigger", "preview", "report", "--against", str(other))
    assert [line.split()[0] for line in text.stdout.splitlines()[1:]] == ["-", "+", "+"]
    rows = json.loads(lineagegraph("trigger", "affected", "load", "--json").stdout)
    assert [(one["name"], one["role"], one["held"]) for one in rows] == [
        ("report", "waits for it", 1)
    ]
    rows = json.loads(lineagegraph("trigger", "affected", "report", "--json").stdout)
    assert [one["role"] for one in rows] == ["starts it"]


def test_a_watched_job_that_nobody_knows_is_named(
    graph: Graph, server: ServerAddress, tmp_path: Path
) -> None:
    end(graph, "load", at=datetime.now(UTC))
    lineagegraph = CommandLine(server)
    rule = tmp_path / "rule.json"
    for job, warned in (("laod", True), ("load", False)):
        when = OnStatus(job=job, statuses=(RunState.COMPLETED,))
        rule.write_bytes(msgspec.json.encode(Trigger(when=when, allow_cycle=True)))
        done = lineagegraph("trigger", "put", "load", "again", str(rule))
        assert ("again waits for laod, which is unknown" in done.stderr) is warned, done.stderr
