"""Magics in real kernels: two on one graph, with a server that goes away and comes back."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import record
from lineagegraph.neo4j_server import ServerAddress
from tests.acceptance.notebook.kernels import Kernel
from tests.acceptance.notebook.line import Line
from tests.acceptance.processes import shared, until
from tests.events import run_event

ENDLESS = "UNWIND range(1, 10000000000) AS x WITH x WHERE x < 0 RETURN x"
LOAD = "%load_ext lineagegraph"
UNDER_WAY = "SHOW TRANSACTIONS YIELD currentQuery AS q WHERE q STARTS WITH 'UNWIND' RETURN q"


@pytest.fixture
def rides(graph: Graph) -> Graph:
    """A graph of one job that reads rides and writes fares."""
    event = run_event("load", inputs=(("lake", "rides"),), outputs=(("lake", "fares"),))
    graph.write(record, extract([event]))
    return graph


@pytest.fixture(scope="module")
def kernel(
    server: ServerAddress, line: Line, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Kernel]:
    settings = shared(server, tmp_path_factory.mktemp("home"))
    kernel = Kernel(settings | {"LINEAGEGRAPH_NEO4J_URI": line.address})
    yield kernel
    kernel.close()


@pytest.mark.usefixtures("rides")
def test_magics_ask_say_and_assign(kernel: Kernel, line: Line) -> None:
    said = kernel.run(LOAD)
    assert f"connected to {line.address}, database neo4j, as neo4j: 1 job, 2 datasets" in said
    kernel.run("name = 'load'")
    job = kernel.run("%%cypher", "MATCH (j:Job {fqn: $name}) RETURN j.fqn AS job, '$no' AS no")
    assert "load" in job
    assert "1 row" in kernel.run("_")
    told = kernel.run("%%cypher many << --limit 2", "UNWIND range(1, 9) AS n RETURN n")
    assert told.strip() == "many: 2 rows, cut off by the limit"
    assert kernel.run("len(many), many.to_pandas().n.sum()") == "(2, np.int64(3))"
    assert "7" in kernel.run('%%cypher --params {"n": 3 + 4}', "RETURN $n")
    assert "flowchart" in kernel.run("%lineage fares --down 0")
    for magic in ("%jobs", "%runs load", "%jobs load"):
        assert "COMPLETED" in kernel.run(magic)
    assert "no rows" in kernel.run("%triggers")
    assert "load" in kernel.run("%cypher jobs/names/list_job_names --params {'limit': 1}")


@pytest.mark.usefixtures("rides")
def test_errors_are_one_line_and_tb_has_the_whole(kernel: Kernel) -> None:
    kernel.run(LOAD)
    refused = kernel.run("%%cypher", "CREATE (z:Zed) RETURN z")
    assert refused.count("\n") == 0
    assert "Writing in read access mode" in refused
    assert "--write" in refused
    assert "Traceback" in kernel.run("%tb")
    assert kernel.run("%runs nobody").count("\n") == 0
    assert "nodes created: 1" in kernel.run("%%cypher --write", "CREATE (z:Zed) RETURN z")


@pytest.mark.usefixtures("rides")
def test_names_are_completed(kernel: Kernel) -> None:
    kernel.run(LOAD, "import lineagegraph as lg", "graph = lg.connect()", "limit = 3")
    assert kernel.complete("%lineage fa") == ["fares"]
    assert kernel.complete("graph.lineage('rid") == ["rides"]
    assert kernel.complete('graph.runs("') == ["load"]
    assert "jobs/names/list_job_names" in kernel.complete("%cypher names/")
    assert "Dataset" in kernel.complete("%%cypher\nMATCH (d:Data")
    assert "READS" in kernel.complete("%%cypher\nMATCH (d)<-[:RE")
    assert "fqn" in kernel.complete("%%cypher\nMATCH (j:Job) RETURN j.fq")
    assert kernel.complete("%%cypher\nRETURN $lim") == ["limit"]
    assert "place" in kernel.complete("graph.pl")


def test_interrupt_ends_a_query_on_the_server_too(kernel: Kernel, graph: Graph) -> None:
    kernel.run(LOAD)
    with ThreadPoolExecutor() as pool:
        asked = pool.submit(kernel.run, "%%cypher", ENDLESS)
        until(lambda: graph.query(UNDER_WAY))
        kernel.interrupt()
        until(lambda: not graph.query(UNDER_WAY), seconds=5)
        assert "interrupted: the server has ended the query" in asked.result()
    assert "1" in kernel.run("%%cypher", "RETURN 1 AS one")


@pytest.mark.usefixtures("graph")
def test_a_cell_states_pipelines_that_are_kept_as_versions(kernel: Kernel, graph: Graph) -> None:
    kernel.run(LOAD, "import lineagegraph as lg")
    kept = kernel.run("%%pipeline", "hello = lg.pipeline('hi', tasks=[lg.command('a', ['true'])])")
    assert "hi" in kept
    assert "true" in kept
    assert graph.query("MATCH (j:Job {fqn: 'hi'})-[:HAS_VERSION]->(v) RETURN count(v) AS n") == [
        {"n": 1}
    ]
    again = "lg.pipeline('hi', tasks=[lg.command('a', ['echo', '{n}'])], params={'n': 1})"
    ran = kernel.run("%%pipeline --run --params {'n': 2}", again)
    assert "COMPLETED" in ran
    assert graph.query("MATCH (r:Run {kind: 'pipeline'}) RETURN r.params AS p") == [
        {"p": '{"n":2}'}
    ]
    failed = kernel.run("%%pipeline", "1 / 0")
    assert "ZeroDivisionError" in failed
    assert "none of its pipelines is stored" in failed
    assert "defines no pipeline" in kernel.run("%%pipeline", "x = 1")


@pytest.mark.usefixtures("rides")
def test_a_server_that_went_away_is_one_line_until_it_is_back(kernel: Kernel, line: Line) -> None:
    kernel.run(LOAD, "import lineagegraph as lg", "graph = lg.connect()")
    line.cut()
    for cell in ("%jobs", "%%cypher\nRETURN 1", "graph.jobs()", "%lineagegraph"):
        said = kernel.run(cell)
        assert said.count("\n") == 0
        assert "no Neo4j answers" in said
    line.mend()
    for cell in ("%jobs", "%%cypher\nMATCH (j:Job) RETURN j.fqn", "graph.jobs()"):
        assert "load" in kernel.run(cell)
    line.cut()
    line.mend()
    assert "load" in kernel.run("%%cypher", "MATCH (j:Job) RETURN j.fqn")
    kernel.restart()
    line.cut()
    said = kernel.run(LOAD)
    assert "not connected: no Neo4j answers" in said
    assert "run %lineagegraph" in said
    line.mend()
    assert "load" in kernel.run("%jobs")
    kernel.run("import os", "right = os.environ['LINEAGEGRAPH_NEO4J_PASSWORD']")
    kernel.run("os.environ['LINEAGEGRAPH_NEO4J_PASSWORD'] = 'wrong'")
    assert "refuses user 'neo4j'" in kernel.run("%lineagegraph")
    kernel.run("os.environ['LINEAGEGRAPH_NEO4J_PASSWORD'] = right")
    assert "connected to" in kernel.run("%lineagegraph")


@pytest.mark.usefixtures("rides")
def test_two_kernels_at_once_see_what_the_other_writes(
    kernel: Kernel, server: ServerAddress, tmp_path_factory: pytest.TempPathFactory
) -> None:
    other = Kernel(shared(server, tmp_path_factory.mktemp("other")))
    try:
        kernel.run(LOAD)
        assert "1 job" in other.run(LOAD)
        kernel.run("%%cypher --write", "CREATE (z:Zed {x: 'seen'})")
        assert "seen" in other.run("%%cypher", "MATCH (z:Zed) RETURN z.x")
    finally:
        other.close()
