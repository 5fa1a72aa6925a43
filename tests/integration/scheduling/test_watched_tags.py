"""Watched tags: columns that their values newly reach start pipelines."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from lineagegraph.admin.namespaces import attach_tags
from lineagegraph.errors import NotFound
from lineagegraph.ingest.extract import extract
from lineagegraph.model.names.keys import dataset_key, field_key
from lineagegraph.queries.datasets.dataset_facts import list_reaching, read_dataset
from lineagegraph.queries.lineage.tag_flow import read_tag_flow
from lineagegraph.queries.search.details import read_details
from lineagegraph.reactions.commit import commit
from lineagegraph.reactions.watched_tags import report_reached, unwatch_tag, watch_tag
from lineagegraph.settings import Settings
from lineagegraph.store.lineage.tag_flow import list_watches
from tests.events import run_event
from tests.project import Project

ALARM = """
from lineagegraph import on
lg.pipeline("alarm", tasks=[lg.command("tell", ["true"])], trigger=on.tag_reaches("PII"))
"""


def derive(graph, table, source, *, masking=False, column="c"):
    """Report a job that makes a column of a table from one of another."""
    event = run_event(f"make_{table}", outputs=(("lake", table),))
    transformation = {"type": "DIRECT", "subtype": "IDENTITY", "masking": masking}
    field = {"namespace": "lake", "name": source, "field": column}
    event["outputs"][0]["facets"] = {
        "schema": {"fields": [{"name": "c", "type": "text"}]},
        "columnLineage": {
            "fields": {"c": {"inputFields": [field | {"transformations": [transformation]}]}}
        },
    }
    graph.write(commit, extract([event]))


@pytest.fixture
def lake(graph, server, tmp_path):
    project = Project(tmp_path / "project", graph, tmp_path / "home")
    project.state(ALARM)
    derive(graph, "orders", "raw")
    derive(graph, "known", "orders")
    attach_tags(graph, field_key(dataset_key("lake", "orders"), "c"), ["PII"])
    return graph


def test_a_flow_that_ends_at_the_limit_says_if_there_is_more(lake):
    derive(lake, "far", "known")
    found = [read_tag_flow(lake, "PII", most) for most in (1, 2)]
    reached = [([one.dataset for one in flow.columns], flow.cut) for flow in found]
    assert reached == [(["known"], True), (["known", "far"], False)]


def report(graph):
    return report_reached(graph, Settings())


def firings(graph):
    return len(graph.query("MATCH (r:Run)<-[:HAS_RUN]-(:Job {fqn: 'alarm'}) RETURN r.id"))


def payloads(graph):
    rows = graph.query("MATCH (e:ExternalEvent) RETURN e.payload AS text ORDER BY e.occurred_at")
    return [row["text"] for row in rows]


def test_a_new_column_starts_a_pipeline_once_however_many_daemons_follow_the_tag(lake):
    assert [str(one) for one in watch_tag(lake, "PII").columns] == ["lake:known#c"]
    assert (report(lake), firings(lake)) == (0, 0)
    derive(lake, "copy", "known")
    derive(lake, "hashed", "orders", masking=True)
    with ThreadPoolExecutor(8) as daemons:
        assert sum(daemons.map(lambda _: report(lake), range(8))) == 1
    assert firings(lake) == 1
    assert payloads(lake) == ['{"tag": "PII", "columns": ["lake:copy#c"], "count": 1}']


def test_a_column_counts_anew_after_it_was_masked_and_not_while_it_has_the_tag(lake):
    watch_tag(lake, "PII")
    derive(lake, "copy", "orders")
    assert report(lake) == 1
    attach_tags(lake, field_key(dataset_key("lake", "copy"), "c"), ["PII"])
    assert report(lake) == 0
    lake.query(
        "MATCH (:Field {key: $key})-[t:TAGGED]->() DELETE t",
        {"key": field_key(dataset_key("lake", "copy"), "c")},
        write=True,
    )
    assert report(lake) == 1
    assert firings(lake) == 2


def test_a_tag_that_is_not_watched_starts_nothing(lake):
    watch_tag(lake, "PII")
    unwatch_tag(lake, "PII")
    derive(lake, "copy", "orders")
    assert (report(lake), firings(lake)) == (0, 0)
    assert lake.query("MATCH (:Tag)-[r:REACHES]->() RETURN r") == []
    with pytest.raises(NotFound, match="no tag 'unknown'"):
        watch_tag(lake, "unknown")


def test_a_dataset_shows_the_watched_tags_that_reach_it_and_where(lake):
    key = dataset_key("lake", "late")
    watch_tag(lake, "PII")
    derive(lake, "late", "known")
    derive(lake, "masked", "known", masking=True)
    report(lake)
    shown = read_dataset(lake, "dataset:lake:late")
    assert list_reaching(lake, shown) == [("reached by", "PII: c")]
    assert ("reached by", "PII: c") in read_details(lake, key).lines
    assert list_reaching(lake, read_dataset(lake, "dataset:lake:masked")) == []
    assert [(one.tag, one.columns) for one in lake.read(list_watches)] == [("PII", 2)]
    unwatch_tag(lake, "PII")
    assert list_reaching(lake, shown) == []
    assert lake.read(list_watches) == []
