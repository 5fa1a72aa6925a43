"""Every command that changes the graph leaves an entry in the audit log, and no other does."""

import json
import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import click
import pytest
import structlog
import typer

from lineagegraph import cli
from lineagegraph.admin.audit import AuditFilter, count_entries, list_entries
from lineagegraph.admin.sessions import User, add_session
from lineagegraph.cli.program import app
from lineagegraph.graph import Graph
from lineagegraph.http import HttpServer, bind, make_application
from lineagegraph.model import actor
from lineagegraph.model.runs.ids import new_id
from lineagegraph.model.waits import WaitTerms
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.sensors import make_sensor, sensor_id
from lineagegraph.settings import Settings
from lineagegraph.store.admin import processes
from lineagegraph.store.outbox import forwards
from lineagegraph.waits.standalone import start_wait
from tests.acceptance.processes import shared
from tests.project import Project

STATED = """
from datetime import date
import lineagegraph as lg
lg.pipeline("load", tasks=[lg.command("nothing", ["true"])])
lg.pipeline(
    "report",
    tasks=[lg.command("nothing", ["true"])],
    params={"day": lg.param(date, default=date(2026, 1, 1))},
    partition_by="day",
)
"""
RULE = '{"when": {"on": "event", "name": "go"}}'
SENTENCE = "for workflow report after program load type workflow status completed"
DEAD_LETTER = """
MATCH (t:Trigger {name: 't'})
CREATE (t)-[:FIRED]->(:Firing {
  key: 'f', trigger_id: t.id, state: 'DEAD_LETTER', fired_at: datetime(), reason: 'event go'
})
"""
# In this order: each is a command with its arguments. RUN and IMPORT stand for ids.
CHANGES = [
    "sync flows.py",
    "variable set rate 1",
    "variable unset rate",
    "token add ci --role read:*",
    "token rotate ci",
    "token revoke ci",
    "token end-sessions ann",
    "skip add load --reason broken",
    "skip remove load",
    "pool set spark 2",
    "pool delete spark",
    "mute load --until 2036-01-01T00:00:00Z --reason known",
    "unmute load",
    "pause --all --reason weekend",
    "resume --all",
    "sensor settle WAIT --reason mail",
    "sensor cursor SENSOR --set 1",
    "silence load 2h",
    "freshness set load --max-age 1h",
    "freshness unset load",
    "trigger put report t rule.json",
    "trigger disable t",
    "trigger enable t",
    "trigger fire t",
    "trigger redrive t",
    "trigger delete t",
    f"schedule add s {SENTENCE}",
    f"schedule update s {SENTENCE} concurrency 2",
    "schedule delete s",
    "run load",
    "rollback load HASH",
    "rollback load --latest",
    "tag load PII",
    "tag load PII --remove",
    "tags watch PII",
    "tags watch PII --stop",
    "cancel RUN",
    "rerun DONE --policy latest",
    "mark DONE failed --reason broken",
    "ack DONE",
    "annotate DONE twice",
    "unmark DONE",
    "event go",
    "backfill start report --from 2026-01-01 --to 2026-01-03 --id winter",
    "backfill pause winter",
    "backfill resume winter",
    "backfill cancel winter",
    "forwards redrive company",
    "forwards forget company",
    "import marquez --url URL",
    "import undo IMPORT",
    "retention --older-than 90d",
]
_LOCAL = "changes files or processes of this machine, not the graph"
_BATCH = "queues a run, as `run` does"
UNAUDITED = {
    "owners": "states an event, which is its own record",
    "ingest": "stores events, which are their own record",
    "spark-submit": "its run is audited as `run` is",
    "batch run": _BATCH,
    "batch restart": _BATCH,
    "demo": "runs other commands in a graph for it",
    "demo experiments": "sends events",
    "connection set": _LOCAL,
    "connection unset": _LOCAL,
    "notebook": _LOCAL,
    "browser": "shows an address",
    "sensor run": _LOCAL,
    "forwards test": "sends an event elsewhere",
    "notifications test": "sends a message",
    "up": "its daemon records changed settings",
    "down": _LOCAL,
    "doctor": "changes nothing",
    "neo4j start": _LOCAL,
    "neo4j stop": _LOCAL,
    "schema apply": "each migration is a node of its own, also in graphs without the audit log",
    "schema revert": "each migration is a node of its own, also in graphs without the audit log",
}
# Commands that only read, by their first word, or by all words.
READING = {
    *(
        "jobs",
        "datasets",
        "search",
        "runs",
        "run-states",
        "show",
        "logs",
        "as-was",
        "versions",
        "diff",
        "lineage",
    ),
    *(
        "impact",
        "quality",
        "tags flow",
        "firings",
        "claims",
        "emits",
        "cypher",
        "analysis",
        "status",
        "audit",
    ),
    *("batch validate", "batch status", "batch graph", "batch export airflow"),
    *("backfill preview", "backfill list", "backfill show", "skip list"),
    *("variable get", "variable list", "variable history", "connection list", "connection show"),
    *("pool list", "pool show", "tags watched"),
    *("forecast", "freshness show", "freshness why", "readers"),
    *("trigger list", "trigger show", "trigger why", "trigger next"),
    *("trigger preview", "trigger rule", "sensor list", "sensor show", "sensor why"),
    *("trigger affected", "schedule list"),
    *("forwards", "forwards refused", "notifications", "import list", "neo4j status"),
    *("token list", "schema status"),
}


class InProcess:
    """Runs commands in this process, which has imported the program."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
        self._monkeypatch = monkeypatch
        self._capsys = capsys

    def __call__(self, *words: str) -> str:
        """Run a command that succeeds, and return its output."""
        self._monkeypatch.setattr(sys, "argv", ["lineagegraph", *words])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        said = self._capsys.readouterr()
        assert ended.value.code == 0, (words, said.err)
        return str(said.out)


@pytest.fixture
def command(
    server: ServerAddress, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> Iterator[InProcess]:
    for name, value in shared(server, tmp_path / "home").items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    yield InProcess(monkeypatch, capsys)
    actor.name_process("python")
    structlog.reset_defaults()  # the command logs to an output that is closed now


def leaves(found: click.Command, path: tuple[str, ...] = ()) -> Iterator[str]:
    below = getattr(found, "commands", {})
    if not below or getattr(found, "invoke_without_command", False):
        yield " ".join(path)
    for name in below:
        yield from leaves(below[name], (*path, name))


def test_each_command_is_known_to_change_or_to_read() -> None:
    names = set(leaves(typer.main.get_command(app)))
    changing = {
        max((n for n in names if f"{one} ".startswith(f"{n} ")), key=len) for one in CHANGES
    }
    reading = {name for name in names if {name, name.partition(" ")[0]} & READING} - changing
    assert names - changing - reading == UNAUDITED.keys() - reading
    assert UNAUDITED.keys() | changing <= names


def test_each_changing_command_leaves_an_entry_with_its_user(
    graph: Graph, settings: Settings, command: InProcess, tmp_path: Path
) -> None:
    project = Project(tmp_path / "project", graph, tmp_path / "home")
    (tmp_path / "rule.json").write_text(RULE)
    (tmp_path / "flows.py").write_text(STATED)
    prepare(graph)
    server = HttpServer(make_application(graph, settings), bind("127.0.0.1", 0))
    server.start()
    try:
        words = {"URL": server.url, "WAIT": new_id()}
        for line in CHANGES:
            beat(graph)
            known = count_entries(graph, AuditFilter())
            if line == "trigger redrive t":
                graph.query(DEAD_LETTER, write=True)
            if line.startswith("sensor settle"):
                file = make_sensor("file", {"path": "/data/landing/orders.csv"})
                graph.write(start_wait, sensor=file, terms=WaitTerms(), run_id=words["WAIT"])
                words["SENSOR"] = sensor_id(file)
            if line.startswith("rerun"):
                words["DONE"] = project.run("load")
                known = count_entries(graph, AuditFilter())
            if line == "import undo IMPORT":
                (words["IMPORT"],) = (
                    one["id"] for one in json.loads(command("import", "list", "--json"))
                )
            said = command(*(words.get(word, word) for word in line.split()))
            if line == "run load":
                words["RUN"] = said.split()[0]
                (version,) = json.loads(command("versions", "load", "--json"))
                words["HASH"] = version["version"]
            made = count_entries(graph, AuditFilter()) - known
            assert made, line
            for one in list_entries(graph, AuditFilter(), limit=made):
                assert one.actor == f"cli:{actor.this_person()}", line
    finally:
        server.stop()


def prepare(graph: Graph) -> None:
    """Have a session, a tag, and a target of forwarding."""
    graph.query("CREATE (:Tag {name: 'PII'})", write=True)
    add_session(graph, timedelta(hours=1), user=User("https://login", "ann", ()))
    target = {"name": "company", "send": "own", "namespaces": None}
    graph.write(forwards.merge_targets, rows=[target], now=None)


def beat(graph: Graph) -> None:
    """Have a daemon now, so that runs are only queued."""
    graph.write(
        processes.merge_process,
        id="d",
        kind=processes.DAEMON,
        host="elsewhere",
        pid=1,
        address=None,
        now=None,
    )


def test_the_command_shows_filters_and_exports_the_log(graph: Graph, command: InProcess) -> None:
    command("variable", "set", "rate", "1")
    command("variable", "set", "rate", "2")
    command("variable", "set", "place", "here")
    shown = command("audit", "--thing", "rate", "--limit", "1")
    assert "variable.set" in shown
    (newest,) = json.loads(command("audit", "--thing", "rate", "--limit", "1", "--json"))
    assert (newest["before"], newest["after"]) == ({"value": 1}, {"value": 2})
    assert command("audit", "--since", "1ms", "--action", "skip", "--ndjson") == ""
    lines = command("audit", "--since", "1d", "--action", "variable", "--ndjson").splitlines()
    assert [json.loads(line)["name"] for line in lines] == ["rate", "rate", "place"]
