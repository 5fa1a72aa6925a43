"""From what a person typed to the one thing that is meant."""

import pytest

from lineagegraph.errors import Ambiguous, NotFound
from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import record
from lineagegraph.model.runs.ids import new_id
from lineagegraph.queries.find.find import (
    find_dataset,
    find_job,
    find_node,
    find_node_or_column,
    find_run,
    node_id,
)
from tests.events import run_event


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("nyc.delays", "job:default:nyc.delays"),
        ("daily", "dataset:file:/gold/daily"),
        ("job:default:nyc.delays.daily", "job:default:nyc.delays.daily"),
        ("job:daily", "job:default:nyc.delays.daily"),
        ("clean.app.save", "job:default:nyc.delays.clean.app.save"),
        ("dataset:s3://lake:9000:flights", "dataset:s3://lake:9000:flights"),
        ("dataset:file:/gold/daily", "dataset:file:/gold/daily"),
        ("dataset:flights.csv", "dataset:file:/raw/flights.csv"),
    ],
)
def test_a_node_is_found(sample: Graph, typed: str, meant: str) -> None:
    typed_bare = typed == "daily"
    if typed_bare:
        sample.query("MATCH (j:Job {simple_name: 'daily'}) DETACH DELETE j", write=True)
    assert node_id(find_node(sample, typed)) == meant


def test_a_simple_name_that_several_have_lists_them(sample: Graph) -> None:
    with pytest.raises(Ambiguous, match=r"nyc\.delays\.clean\.app, .*nyc\.load\.flights\.app"):
        find_job(sample, "app")


def test_an_earlier_name_is_found_before_the_end_of_a_longer_one(graph: Graph) -> None:
    dag, task = new_id(), new_id()
    for event in (
        run_event("app", parent=(task, "load")),
        run_event("load", run_id=task, parent=(dag, "dag")),
        run_event("app", parent=(new_id(), "other.load")),
    ):
        graph.write(record, extract([event]))
    assert find_job(graph, "load.app").name == "dag.load.app"
    with pytest.raises(Ambiguous):
        find_job(graph, "app")


def test_a_wrong_name_says_what_is_close(sample: Graph) -> None:
    with pytest.raises(NotFound, match=r"no job 'nyc\.delay': did you mean nyc\.delays"):
        find_job(sample, "nyc.delay")


def test_a_job_in_another_namespace_is_not_found(sample: Graph) -> None:
    with pytest.raises(NotFound):
        find_job(sample, "nyc.delays", "other")


def test_a_dataset_is_found_by_the_end_of_its_name(sample: Graph) -> None:
    assert find_dataset(sample, "daily").name == "/gold/daily"


def test_a_run_is_found_by_a_unique_start_of_its_id(sample: Graph) -> None:
    assert find_run(sample, "0000000A").name == "nyc.load"
    with pytest.raises(Ambiguous, match="give more of the id"):
        find_run(sample, "00000001")


def test_a_hash_sign_parts_a_dataset_from_its_column(sample: Graph) -> None:
    place = find_node_or_column(sample, "dataset:file:/gold/daily#carrier")
    assert (place.node.name, place.column) == ("/gold/daily", "carrier")
