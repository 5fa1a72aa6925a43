"""Links that open Neo4j Browser with a query in its editor."""

from pathlib import Path
from typing import get_args
from urllib.parse import parse_qs, urlsplit

import pytest

from lineagegraph.neo4j_server import Noun, browser_link
from lineagegraph.settings import Settings

OTHER = Settings(
    neo4j_uri="neo4j://graph:7687",
    neo4j_user="reader",
    neo4j_database="lineage",
    neo4j_browser_url="http://graph:7474/browser/",
)


@pytest.mark.parametrize("noun", get_args(Noun))
def test_a_link_has_the_whole_query_and_logs_the_user_in(noun: Noun) -> None:
    link = browser_link(OTHER, noun, "it's & #1?")
    assert link is not None
    parts = urlsplit(link)
    assert link.startswith("http://graph:7474/browser/?")
    said = parse_qs(parts.query)
    assert said["connectURL"] == ["neo4j://reader@graph:7687"]
    assert (said["db"], said["cmd"]) == (["lineage"], ["edit"])
    [query] = said["arg"]
    assert r"'it\'s \u0026 \u00231\u003f'" in query
    assert "$" not in query
    # What Browser cuts the query at, once it has decoded the address.
    assert not set("&#?") & set(query)


def test_a_managed_graph_has_links_once_its_ports_are_chosen(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path)
    assert browser_link(settings, "job", "1") is None
    (tmp_path / "neo4j").mkdir()
    (tmp_path / "neo4j" / "ports.json").write_text('{"bolt": 7, "http": 8}')
    link = browser_link(settings, "job", "1")
    assert link is not None
    assert link.startswith(
        "http://localhost:8/browser/guides/open.html?connectURL=bolt://neo4j@localhost:7&cmd=edit&arg="
    )


def test_nobody_knows_where_the_browser_of_somebody_elses_graph_is() -> None:
    assert browser_link(Settings(neo4j_uri="bolt://graph:7687"), "job", "1") is None
