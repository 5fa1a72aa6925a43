"""Short ids of runs, and names that are nearly right."""

import pytest

from lineagegraph.errors import Ambiguous, NotFound
from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import record
from lineagegraph.queries.find.find import find_dataset, find_node, find_run
from lineagegraph.queries.runs.runs import find_run_of
from lineagegraph.queries.versions.find_version import find_run_or_version
from lineagegraph.settings import Settings
from lineagegraph.views.explorer import ExplorerView
from lineagegraph.views.trigger_panel import TriggerPanelView
from tests.events import run_event


def test_the_end_of_an_id_names_a_run_of_which_many_have_the_same_start(graph: Graph) -> None:
    ids = [f"01a20f3d-2967-7d75-8ebf-6cfdcabf8a{number:02x}" for number in range(9)]
    graph.write(record, extract([run_event("load", run_id=id_) for id_ in ids]))
    for id_ in ids:
        assert find_run(graph, id_[-12:]).id == id_
        assert find_run(graph, id_[-8:].upper()).id == id_
        assert find_run_of(graph, id_[-12:]) == id_
        assert find_run_or_version(graph, id_[-12:]).run == id_
    with pytest.raises(Ambiguous, match="matches several runs"):
        find_run(graph, ids[0][:13])
    with pytest.raises(NotFound):
        find_run(graph, ids[0][-7:])


def test_an_end_that_is_the_start_of_another_id_is_ambiguous(graph: Graph) -> None:
    ids = ["01a20f3d-2967-7d75-8ebf-6cfdcabf8a31", "cabf8a31-2967-7d75-8ebf-6cfdcabf0000"]
    graph.write(record, extract([run_event("load", run_id=id_) for id_ in ids]))
    with pytest.raises(Ambiguous):
        find_run(graph, "cabf8a31")


def test_a_dataset_with_a_long_path_is_proposed_for_a_name_that_is_nearly_right(
    graph: Graph,
) -> None:
    event = run_event("load", outputs=(("file", "/srv/projects/flights/lake/daily"),))
    graph.write(record, extract([event]))
    for find in (find_dataset, find_node):
        with pytest.raises(NotFound, match="did you mean /srv/projects/flights/lake/daily"):
            find(graph, "lake/dayly")


def test_a_name_that_is_typed_whole_is_offered_among_many_that_have_it_in_them(
    graph: Graph, settings: Settings
) -> None:
    names = [f"a.load.{number:02}" for number in range(30)] + ["load"]
    graph.write(record, extract([run_event(name) for name in names]))
    assert TriggerPanelView(graph, settings).answer_jobs("Load")[0]["name"] == "load"
    assert ExplorerView(graph, settings).answer_search("load")[0] == "job:default:load"
    graph.query("MATCH (j:Job) SET j.kind = 'pipeline', j.current_version = 'v'", write=True)
    assert TriggerPanelView(graph, settings).answer_pipelines("load")[0]["name"] == "load"
