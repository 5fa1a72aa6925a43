"""What a session of a notebook is answered."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import networkx as nx
import polars as pl
import pytest

from lineagegraph.errors import GraphClosed, NotFound, QueryRefused, WriteRefused
from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import record
from lineagegraph.model.property_graph import Node, Path, Point, Relationship
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.notebook import Session
from lineagegraph.settings import Settings
from lineagegraph.store.admin.clock import get_time
from tests.events import run_event

AT = datetime(2026, 3, 1, 12, tzinfo=UTC)
OPEN = "0190a1d2-0000-7000-8000-000000000000"


@pytest.fixture
def anywhere(connection: Graph, settings: Settings) -> Session:
    """A session for questions that need no graph."""
    return Session(connection, settings)


@pytest.fixture
def session(graph: Graph, settings: Settings) -> Session:
    """A graph of one job that reads rides and writes fares."""
    event = run_event("load", at=AT, inputs=(("lake", "rides"),), outputs=(("lake", "fares"),))
    graph.write(record, extract([event]))
    return Session(graph, settings)


def test_every_kind_of_value_comes_back_as_pythons_own(anywhere: Session) -> None:
    result = anywhere.cypher(
        """RETURN 1 AS i, null AS n, point({x: 1, y: 2}) AS p, duration('P2DT3.5S') AS d,
        duration('P1M') AS months, date('2026-03-01') AS day, datetime('2026-03-01T12:00Z') AS at,
        [1, {a: date('2026-03-01')}] AS nested, time('12:00') AS time"""
    )
    (record,) = result.records
    assert record["i"] == 1
    assert record["n"] is None
    assert record["p"] == Point(7203, (1.0, 2.0))
    assert record["d"] == timedelta(days=2, seconds=3.5)
    assert record["months"] == "P1M"
    assert record["day"] == date(2026, 3, 1)
    assert record["at"] == AT
    assert record["nested"] == [1, {"a": date(2026, 3, 1)}]
    assert record["time"].hour == 12


def test_nodes_relationships_and_paths_are_values_and_a_graph(session: Session) -> None:
    result = session.cypher("MATCH way = (n:Run)-[r:READS]->(:Dataset) RETURN n, r, way")
    (record,) = result.records
    assert isinstance(record["n"], Node)
    assert record["n"].properties["state"] == "COMPLETED"
    assert isinstance(record["r"], Relationship)
    assert isinstance(record["way"], Path)
    assert result.graph is not None
    assert len(result.graph.nodes) == 2
    network = result.to_networkx()
    assert isinstance(network, nx.MultiDiGraph)
    assert [kind for _, _, kind in network.edges(data="type")] == ["READS"]
    assert "READS" in result.to_svg()
    assert "READS" in result.to_dot()
    assert "READS" in result.to_mermaid()


def test_lineage_of_a_namespace_has_the_jobs_that_are_served_in_it(graph: Graph) -> None:
    dag = run_event("dag", namespace="airflow")
    load = run_event("load", namespace="spark", inputs=(("lake", "a"),), outputs=(("lake", "b"),))
    load["run"]["facets"]["parent"] = {"run": {"runId": dag["run"]["runId"]}, "job": dag["job"]}
    graph.write(record, extract([dag, load]))
    for inherit, namespace in ((True, "airflow"), (False, "spark")):
        session = Session(graph, Settings(inherit_namespace=inherit))
        ends = session.lineage(f"namespace:{namespace}").records
        assert [(end["source"], end["target"]) for end in ends] == [
            ("dataset:lake:a", f"job:{'spark'}:dag.load"),
            ("job:spark:dag.load", "dataset:lake:b"),
        ]


def test_frames_have_the_properties_of_nodes(session: Session) -> None:
    result = session.cypher("MATCH (j:Job) RETURN j, j.fqn AS name, 3 AS n")
    assert result.to_pandas().name.tolist() == ["load"]
    assert result.to_pandas().j[0]["fqn"] == "load"
    frame = result.to_polars()
    assert isinstance(frame, pl.DataFrame)
    assert frame["n"].to_list() == [3]


def test_a_result_without_a_graph_says_so(anywhere: Session) -> None:
    with pytest.raises(NotFound, match="return nodes"):
        anywhere.cypher("RETURN 1 AS x").to_networkx()


def test_only_a_query_that_is_told_to_can_write(session: Session) -> None:
    query = "/* RETURN */ CREATE (n:Zed {x: $x}) RETURN n.x AS x"
    with pytest.raises(WriteRefused, match="Writing in read access mode"):
        session.cypher(query, x=1)
    assert session.cypher("MATCH (n:Zed) RETURN n").rows == []
    written = session.cypher(query, x=1, write=True)
    assert written.rows == [(1,)]
    assert "nodes created: 1" in repr(written)


def test_the_limit_cuts_what_is_fetched_and_says_so(anywhere: Session) -> None:
    result = anywhere.cypher("UNWIND range(1, $most) AS n RETURN n", {"most": 10**9}, limit=3)
    assert [row[0] for row in result.rows] == [1, 2, 3]
    assert "cut off by the limit" in repr(result)
    assert "cut" not in repr(anywhere.cypher("UNWIND [1, 2, 3] AS n RETURN n", limit=3))


def test_what_writes_is_done_in_full_however_few_rows_are_wanted(session: Session) -> None:
    session.cypher("UNWIND range(1, 5000) AS n CREATE (:Zed) RETURN n", limit=1, write=True)
    assert session.cypher("MATCH (z:Zed) RETURN count(z) AS n").rows == [(5000,)]


def test_times_of_pythons_zones_and_sets_can_be_sent(anywhere: Session) -> None:
    at = datetime(2026, 3, 1, 16, tzinfo=ZoneInfo("Asia/Dubai"))
    result = anywhere.cypher(
        "RETURN $at = datetime('2026-03-01T12:00Z') AS same, $s AS s", at=at, s={1}
    )
    assert result.rows == [(True, [1])]


def test_what_cannot_be_sent_is_refused_in_one_line(anywhere: Session) -> None:
    for value in (object(), 2**70):
        with pytest.raises(QueryRefused, match="cannot be sent"):
            anywhere.cypher("RETURN $x", x=value)


def test_a_connection_that_was_closed_says_so(server: ServerAddress, settings: Settings) -> None:
    with Session(Graph(server.bolt, server.user, server.password), settings) as session:
        assert session.cypher("RETURN 1").rows == [(1,)]
    for question in (session.jobs, lambda: session.cypher("RETURN 1")):
        with pytest.raises(GraphClosed, match="connect again"):
            question()


def test_a_shipped_query_runs_by_its_name(session: Session) -> None:
    assert session.query("jobs/names/list_job_names", limit=5).records == [{"name": "load"}]
    with pytest.raises(QueryRefused, match="needs limit"):
        session.query("jobs/names/list_job_names")
    with pytest.raises(NotFound):
        session.query("names/no_such")


def test_lineage_is_rows_and_a_drawing(session: Session) -> None:
    result = session.lineage("fares", down=0)
    assert set(result.to_pandas().source) == {"dataset:lake:rides", "job:default:load"}
    assert "rides" in result._repr_mimebundle_()["image/svg+xml"]
    assert result.to_networkx().has_edge("job:default:load", "dataset:lake:fares")


def test_jobs_runs_and_the_place_are_told(session: Session) -> None:
    assert session.jobs().to_pandas().job.tolist() == ["load"]
    assert session.jobs("load").records[0]["state"] == "COMPLETED"
    assert session.triggers().rows == []
    assert "1 job, 2 datasets" in session.place()
    with pytest.raises(NotFound, match="no run"):
        session.run("0190a1d2")


def test_a_run_is_a_value_that_is_shown_as_a_table(session: Session) -> None:
    (listed,) = session.runs("load").records
    run = session.run(listed["id"])
    assert (run.run.state, run.reads[0].name) == ("COMPLETED", "rides")
    html = run._repr_mimebundle_()["text/html"]
    assert listed["id"] in html
    assert "lake:fares" in html
    assert "Struct" not in html
    assert "WholeRunRow" not in html


def test_runs_of_a_day_are_found_by_its_date_or_name(graph: Graph, session: Session) -> None:
    (run,) = session.runs("load").records
    assert session.runs("load", day=run["created_at"].date()).records == [run]
    now = graph.read(get_time).astimezone(ZoneInfo(session._settings.zone))
    for back in range(1, 8):
        day = now - timedelta(days=back)
        graph.query("MATCH (r:Run) SET r.created_at = $at", {"at": day}, write=True)
        (found,) = session.runs("load", day=f"{day:%A}").records
        assert found["created_at"] == day
        assert session.runs("load", day="today").rows == []
    with pytest.raises(NotFound, match="tuesday"):
        session.runs("load", day="someday")


def test_a_run_is_followed_by_its_id_or_its_job(graph: Graph, session: Session) -> None:
    (ended,) = session.runs("load").records
    assert session.follow("load").run_id == ended["id"]
    graph.write(record, extract([run_event("load", run_id=OPEN, at=AT, event_type="START")]))
    later = run_event("load", at=AT + timedelta(days=1))
    graph.write(record, extract([later]))
    assert session.follow("load").run_id == OPEN
    assert session.follow(OPEN[:13]).run_id == OPEN
    with pytest.raises(NotFound, match="no job 'lod'"):
        session.follow("lod")


def test_a_label_that_is_not_there_is_named_below_the_table(
    session: Session, capfd: pytest.CaptureFixture[str]
) -> None:
    found = session.cypher("MATCH (n:Jbo) RETURN n")
    assert "no rows" in repr(found)
    assert "Jbo" in repr(found)
    assert "does not exist" in repr(found)
    assert session.cypher("MATCH (n:Job) RETURN n.name").note == ""
    assert capfd.readouterr().err == ""
