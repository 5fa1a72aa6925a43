"""Queries for Neo4j Browser: what is put into them stays text, and they find what they are for."""

from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from lineagegraph.errors import NotFound
from lineagegraph.graph import Graph
from lineagegraph.neo4j_server import browser_link
from lineagegraph.neo4j_server.browser.literal import literal
from lineagegraph.queries.search.find_any import find_any
from lineagegraph.queries.search.saved_scripts import SavedScript, saved_scripts
from lineagegraph.settings import Settings
from tests.guides import guide_queries

SAMPLE = Path(__file__).parents[1] / "explore" / "sample.cypher"
SETTINGS = Settings(neo4j_uri="bolt://graph", neo4j_browser_url="http://graph/browser/")
PIECES = ["\\", "u0027", "'", '"', "\\u0027", "`", "$x", "//", "/*", "\n", "\0", "&", "é", "😀"]
NASTY = st.lists(st.sampled_from(PIECES) | st.text(max_size=4)).map("".join)


@hypothesis_settings(max_examples=100, deadline=None)
@given(texts=st.lists(NASTY, min_size=1, max_size=30))
def test_a_literal_is_read_as_the_text_that_it_was(connection: Graph, texts: list[str]) -> None:
    query = f"RETURN [{', '.join(map(literal, texts))}] AS texts"
    assert connection.query(query) == [{"texts": texts}]


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("nyc.delays", "nyc.delays"),
        ("/gold/daily", "/gold/daily"),
        ("flights#dep_delay", "dep_delay"),
        ("00000001-0000-7000-8000-000000000000", "00000001-0000-7000-8000-000000000000"),
        ("run:00000001-0000-7000-8000-000000000000", "00000001-0000-7000-8000-000000000000"),
        ("trigger:nyc.delays", "nyc.delays"),
    ],
)
def test_a_link_leads_to_what_was_typed(graph: Graph, typed: str, found: str) -> None:
    graph.query(SAMPLE.read_text(encoding="utf-8"), write=True)
    thing = find_any(graph, typed)
    link = browser_link(SETTINGS, thing.noun, thing.key)
    assert link is not None
    [query] = parse_qs(urlsplit(link).query)["arg"]
    assert found in str(graph.query(query))


def test_what_nobody_knows_is_said_with_what_to_type(graph: Graph) -> None:
    with pytest.raises(NotFound, match="trigger list"):
        find_any(graph, "nobody")


@pytest.mark.parametrize("query", [query for _, query in guide_queries()])
def test_a_query_of_a_guide_runs_and_only_reads(graph: Graph, query: str) -> None:
    graph.query(SAMPLE.read_text(encoding="utf-8"), write=True)
    graph.query(query)


@pytest.mark.parametrize("script", saved_scripts(), ids=lambda script: script.name)
def test_a_saved_script_runs_with_the_values_that_it_brings(
    connection: Graph, script: SavedScript
) -> None:
    assert script.content.startswith("// ")
    connection.query(script.content)
