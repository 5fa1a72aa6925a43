"""The baseline: each statement makes one constraint or index, and graphs without it are refused."""

import re
from collections.abc import Iterator

import pytest

from lineagegraph.errors import SchemaMismatch
from lineagegraph.graph import Graph, list_applied, list_migrations, migrate, migrations, revert
from lineagegraph.graph.statements import cypher_folder
from tests.integration.schema.shape import list_names

BASELINE = list_migrations()[0]


@pytest.fixture
def edited(graph: Graph) -> Iterator[Graph]:
    """The graph, whose list of applied migrations is put back after the test."""
    yield graph
    graph.query("MATCH (m:Migration) DELETE m", write=True)
    for step in list_migrations():
        graph.write(
            migrations.merge_migration, name=step.name, checksum=step.checksum, back=step.back
        )


def test_every_migration_has_a_way_back_and_no_way_back_is_left_alone() -> None:
    folder = cypher_folder() / "schema"
    back = {path.name for path in (folder / "back").glob("*")}
    assert back == {path.name for path in folder.glob("V*.cypher")} - {f"{BASELINE.name}.cypher"}


def test_every_statement_of_the_baseline_makes_what_it_names(connection: Graph) -> None:
    """`IF NOT EXISTS` passes over an index of the same properties under another name."""
    names = re.findall(
        r"^CREATE (?:CONSTRAINT|(?:FULLTEXT )?INDEX) (\w+)", BASELINE.text, re.MULTILINE
    )
    assert len(names) == len(set(names)) == BASELINE.text.count(";\n")
    assert set(names) <= list_names(connection)


def test_a_graph_of_before_the_baseline_is_refused_and_left_as_it_was(edited: Graph) -> None:
    edited.query("MATCH (m:Migration) SET m.name = 'V0001__unique_job'", write=True)
    check_refused(edited)


def test_a_graph_of_another_baseline_is_refused_and_left_as_it_was(edited: Graph) -> None:
    edited.query("MATCH (m:Migration) SET m.checksum = 'another'", write=True)
    check_refused(edited)


def check_refused(graph: Graph) -> None:
    applied, names = list_applied(graph), list_names(graph)
    with pytest.raises(SchemaMismatch, match=r"unreleased version.*start a new graph"):
        migrate(graph)
    with pytest.raises(SchemaMismatch, match=r"unreleased version.*start a new graph"):
        revert(graph, "V0001")
    assert (list_applied(graph), list_names(graph)) == (applied, names)
