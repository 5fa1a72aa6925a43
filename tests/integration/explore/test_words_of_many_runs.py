"""The search of words that the facets of very many runs have."""

from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import record
from lineagegraph.queries.search.search import find_nearest
from tests.events import run_event

RUNS = """
UNWIND range(1, 10500) AS n
CREATE (:Run {id: 'r' + n})-[:HAS_FACET {scope: 'job', name: 'sql'}]->
  (:Facet {hash: 'h' + n, name: 'sql', words: 'fares'})
"""


def test_a_dataset_is_found_by_a_word_that_thousands_of_runs_have(graph: Graph) -> None:
    graph.query(RUNS, write=True)
    event = run_event("load", outputs=(("lake", "t"),))
    about = {"description": "what the fares of the last years were, with all that was paid"}
    event["outputs"][0]["facets"] = {"documentation": about}
    graph.write(record, extract([event]))
    assert [one.name for one in find_nearest(graph, "fares", 10)] == ["t"]
