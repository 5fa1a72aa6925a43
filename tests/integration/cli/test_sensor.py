"""`sensor list`, `show` and `why`: what is waited for, by whom, and why still."""

import json
from datetime import datetime, timedelta

import pytest

from lineagegraph.admin.audit import AuditFilter, list_entries
from lineagegraph.graph import Graph
from lineagegraph.model.waits import WaitTerms
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.sensors import make_sensor, sensor_id
from lineagegraph.sensors.end_waits import end_waits
from lineagegraph.store.runs.launches import list_states
from tests.command_line import CommandLine
from tests.sensors import wait_for

READY = make_sensor("file", {"path": "/data/ready"})
TERMS = WaitTerms(timeout=3600, retries=1, soft_fail=True)


@pytest.fixture
def run(server: ServerAddress) -> CommandLine:
    return CommandLine(server)


@pytest.fixture
def waiting(graph: Graph) -> str:
    wait_for(graph, READY, TERMS, job="etl.orders")
    return wait_for(graph, READY, TERMS, job="etl.rides")


def test_list_has_each_sensor_once_with_its_waits(run: CommandLine, waiting: str) -> None:
    (found,) = json.loads(run("sensor", "list", "--json").stdout)
    assert (found["id"], found["waits"]) == (sensor_id(READY), 2)
    assert "file /data/ready" in run("sensor", "list").stdout
    assert "no sensors" in run("sensor", "list", "--kind", "http").stderr


def test_show_names_those_who_wait_in_words_and_as_a_picture(
    run: CommandLine, waiting: str
) -> None:
    said = run("sensor", "show", sensor_id(READY)[:6]).stdout
    assert "etl.rides" in said
    assert "not poked yet" in said
    drawn = run("sensor", "show", sensor_id(READY), "--format", "mermaid").stdout
    assert drawn.startswith("flowchart LR")
    assert "orders" in drawn


def test_why_says_what_keeps_a_run_waiting(run: CommandLine, waiting: str) -> None:
    said = run("sensor", "why", waiting).stdout
    assert "attempt 1 of 2" in said
    assert "skipped rather than failed" in said
    assert "has no sensor process" in said


def test_why_says_that_a_run_looks_itself(run: CommandLine, graph: Graph, waiting: str) -> None:
    graph.write(end_waits, [waiting], why="smart sensors are turned off")
    said = run("sensor", "why", waiting).stdout
    assert "exclusive since" in said
    assert "(smart sensors are turned off)" in said
    assert "has no sensor process" not in said


def test_what_is_not_there_is_one_line(run: CommandLine, graph: Graph) -> None:
    missing = run("sensor", "show", "abc")
    assert missing.returncode == 1
    assert missing.stderr == "error: no sensor 'abc': `lineagegraph sensor list` lists them\n"


def test_a_wait_is_settled_by_hand_with_a_reason(
    run: CommandLine, graph: Graph, waiting: str
) -> None:
    done = run("sensor", "settle", waiting, "--reason", "it came by mail", "--author", "ann")
    assert done.stdout == "etl.rides: success\n"
    assert "success" in run("sensor", "why", waiting).stdout
    assert "settled by ann: it came by mail" in run("sensor", "why", waiting).stdout
    assert "settled by ann: it came by mail" in run("sensor", "show", sensor_id(READY)).stdout
    (entry,) = list_entries(graph, AuditFilter(action="wait.settle"))
    assert (entry.key, '"reason":"it came by mail"' in (entry.after or "")) == (waiting, True)
    assert graph.read(list_states, ids=[waiting])[0].state == "COMPLETED"
    again = run("sensor", "settle", waiting, "--reason", "again")
    assert again.returncode == 1
    assert "has no open wait" in again.stderr


def test_the_other_waits_of_a_sensor_stay_open_when_one_is_settled(
    run: CommandLine, graph: Graph, waiting: str
) -> None:
    told = run("sensor", "settle", waiting, "--reason", "no trading", "--as", "skipped", "--json")
    row = {"run_id": waiting, "job": "etl.rides", "outcome": "skipped"}
    assert json.loads(told.stdout) == [row]
    assert graph.read(list_states, ids=[waiting])[0].state == "SKIPPED"
    (found,) = json.loads(run("sensor", "list", "--json").stdout)
    assert (found["waits"], found["interval"]) == (1, 60.0)


def test_why_says_when_it_came_on_past_days_and_when_it_is_expected(
    run: CommandLine, graph: Graph, waiting: str
) -> None:
    graph.query(
        """
        MATCH (r:Run {id: $id})-[w:WAITS_ON]->(s:Sensor), (j:Job)-[:HAS_RUN]->(r)
        UNWIND range(1, 4) AS day
        CREATE (j)-[:HAS_RUN]->(past:Run {id: randomUUID()})-[v:WAITS_ON]->(s)
        SET v = properties(w), v.open_on = null, v.outcome = 'success',
          v.began_at = datetime.truncate('day', w.began_at) - duration({days: day}),
          v.settled_at = datetime.truncate('day', w.began_at) - duration({days: day})
            + duration({hours: CASE WHEN day = 4 THEN 0 ELSE 6 END}),
          v.settled_by = CASE WHEN day = 4 THEN 'ann' END
        """,
        {"id": waiting},
        write=True,
    )
    said = json.loads(run("sensor", "why", waiting, "--json").stdout)[0]["arrivals"]
    assert len(said["past"]) == 3
    began = datetime.fromisoformat(said["past"][0]["began_at"])
    expected = began + timedelta(days=1, hours=6)
    assert datetime.fromisoformat(said["expected_at"]) == expected
    told = run("sensor", "why", waiting).stdout
    assert "the median of 3 days" in told
    assert "came on past days" in told


def test_a_cursor_is_shown_set_and_cleared(run: CommandLine, graph: Graph, waiting: str) -> None:
    id_ = sensor_id(READY)
    assert run("sensor", "cursor", id_).stdout == "no cursor\n"
    assert run("sensor", "cursor", id_, "--set", '{"day": "[1]"}').stdout == '{"day":"[1]"}\n'
    assert 'cursor {"day":"[1]"}, set ' in run("sensor", "show", id_).stdout
    told = json.loads(run("sensor", "cursor", id_, "--json").stdout)
    assert (told["sensor"], told["cursor"]) == (id_, {"day": "[1]"})
    (entry,) = list_entries(graph, AuditFilter(action="sensor.cursor"))
    assert (entry.key, entry.after) == (id_, '{"cursor":"{\\"day\\":\\"[1]\\"}"}')
    assert "exclude each other" in run("sensor", "cursor", id_, "--set", "1", "--clear").stderr
    assert run("sensor", "cursor", id_, "--set", "day 1").stderr.startswith(
        "error: cursor 'day 1' is not usable"
    )
    assert run("sensor", "cursor", id_, "--clear").stdout == "no cursor\n"
    none = {"sensor": id_, "cursor": None, "cursor_at": None}
    assert json.loads(run("sensor", "cursor", id_, "--json").stdout) == none
    assert "cursor" not in run("sensor", "show", id_).stdout


def test_show_tells_how_the_interval_grows(run: CommandLine, graph: Graph) -> None:
    terms = WaitTerms(poke_interval=10, poke_backoff=2, max_poke_interval=300)
    wait_for(graph, READY, terms, job="etl.orders")
    said = run("sensor", "show", sensor_id(READY)).stdout
    assert "poked every 10s, times 2 while it is false, up to 5m" in said
