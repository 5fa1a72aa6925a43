"""What Neo4j Browser is given knows the graph: each name in it is one that the graph has."""

import json
import re
from importlib.resources import files
from pathlib import Path

import pytest

from lineagegraph.drawing.svg_sheet import STYLE
from lineagegraph.neo4j_server import browser
from lineagegraph.neo4j_server.browser import write_guides
from tests.guides import guide_queries, guides

MODEL = (Path(__file__).parents[3] / "docs" / "model.md").read_text(encoding="utf-8")
KNOWN = set(re.findall(r"`(\w+)`", MODEL))
NAMES = re.compile(r"(?<![\w\s])\(?\w*:((?:\w+\|)*\w+)(?=[\s{*)\]])")
HERE = files(browser)
QUERIES = [
    *((guide, query) for guide, query in guide_queries()),
    *((q.name, q.read_text(encoding="utf-8")) for q in HERE.joinpath("queries").iterdir()),
]
GRASS = json.loads(HERE.joinpath("served", "lineagegraph.grass").read_text(encoding="utf-8"))


def test_there_is_a_guide_for_each_subject() -> None:
    subjects = {"start", "lineage", "hierarchy", "versions", "triggers", "sensors"}
    assert guides().keys() == subjects | {"README"}
    told = set(re.findall(r":guide GUIDES/(\w+)\.md", guides()["start"]))
    assert told == subjects - {"start"}


@pytest.mark.parametrize("query", [query for _, query in QUERIES])
def test_a_query_names_labels_and_types_that_the_graph_has(query: str) -> None:
    text = re.sub(r"//.*|'[^']*'", "", query)
    named = {name for names in NAMES.findall(text) for name in names.split("|")}
    assert named <= KNOWN


def test_the_style_is_of_labels_and_types_of_the_graph_in_the_colours_of_our_drawings() -> None:
    named = {name.partition(".")[2] for name in GRASS} - {""}
    assert named <= KNOWN
    colours = {v for rule in GRASS.values() for v in rule.values() if v.startswith("#")}
    assert colours <= set(re.findall(r"#[0-9a-f]{6}", STYLE))


def test_guides_say_where_they_are_served(tmp_path: Path) -> None:
    write_guides(tmp_path, "http://guides:8000/")
    assert ":guide http://guides:8000/lineage.md" in (tmp_path / "start.md").read_text()
    assert not [path for path in tmp_path.iterdir() if "GUIDES" in path.read_text()]
