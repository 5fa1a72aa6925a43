"""Migrations: once, in order, whoever starts at once, and each with a way back."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from threading import Event

import pytest

from lineagegraph.errors import NotFound, SchemaMismatch
from lineagegraph.graph import (
    Graph,
    Transaction,
    list_applied,
    list_migrations,
    migrate,
    migrations,
    revert,
    schema_lock,
)
from lineagegraph.graph.statements import cypher_folder
from lineagegraph.neo4j_server import ServerAddress
from tests.integration.schema.steps import start_migrating, write_step

NAMES = [step.name for step in list_migrations()]
LAST = NAMES[-1].partition("__")[0]
SLOW = (
    "MATCH (n:Thing) WHERE n.done IS NULL CALL (n) { SET n.done = true } IN TRANSACTIONS OF 5 ROWS"
)
SLOW_BACK = "MATCH (n:Thing) CALL (n) { REMOVE n.done } IN TRANSACTIONS"
THINGS = 4_000


@pytest.fixture(autouse=True)
def as_before(graph: Graph) -> Iterator[None]:
    yield
    revert(graph, LAST)
    migrate(graph)


def shape(graph: Graph) -> list[dict[str, object]]:
    """All constraints and indexes, apart from what the server numbers."""
    indexes = "SHOW INDEXES YIELD name, state, type, entityType, labelsOrTypes, properties"
    constraints = "SHOW CONSTRAINTS YIELD name, type, entityType, labelsOrTypes, properties"
    return [
        row
        for statement in (indexes, constraints)
        for row in graph.query(f"{statement} RETURN * ORDER BY name")
    ]


def names_in(graph: Graph) -> list[str]:
    return [one.name for one in list_applied(graph)]


def test_every_migration_has_a_way_back_and_no_way_back_is_left_alone() -> None:
    folder = cypher_folder() / "schema"
    back = {path.name for path in (folder / "back").iterdir()}
    assert back == {path.name for path in folder.glob("*.cypher")}


def test_all_the_way_back_and_forward_again_by_several_that_start_at_once_is_the_same_schema(
    graph: Graph, server: ServerAddress
) -> None:
    before = shape(graph)
    assert revert(graph, "V0000") == NAMES[::-1]
    assert {row["name"] for row in shape(graph)} <= bare(graph)
    assert names_in(graph) == []
    graph.query("DROP CONSTRAINT one_schema_lock", write=True)

    def start(_: int) -> list[str]:
        with Graph(server.bolt, server.user, server.password) as own:
            return migrate(own)

    with ThreadPoolExecutor(4) as pool:
        done = list(pool.map(start, range(4)))
    assert sorted(name for names in done for name in names) == NAMES
    assert names_in(graph) == NAMES
    assert shape(graph) == before
    assert migrate(graph) == []


def bare(graph: Graph) -> set[object]:
    """What every database has, and the lock that the schema is changed under."""
    lookups = graph.query("SHOW INDEXES YIELD name, type WHERE type = 'LOOKUP' RETURN name")
    return {"one_schema_lock", *(row["name"] for row in lookups)}


def test_what_a_process_had_begun_when_it_was_killed_the_next_one_ends(
    graph: Graph, server: ServerAddress, tmp_path: Path
) -> None:
    graph.query("UNWIND range(1, $n) AS i CREATE (:Thing)", {"n": THINGS}, write=True)
    known = write_step(tmp_path, "V9001__slow", SLOW, SLOW_BACK)
    process = start_migrating(server, tmp_path)
    while not done_in(graph):
        time.sleep(0.02)
        assert process.poll() is None
    process.kill()
    process.wait()
    assert "V9001__slow" not in names_in(graph)
    assert migrate(graph, known=known) == ["V9001__slow"]
    assert done_in(graph) == THINGS
    assert names_in(graph).count("V9001__slow") == 1
    assert revert(graph, LAST) == ["V9001__slow"]
    assert done_in(graph) == 0


def done_in(graph: Graph) -> int:
    (row,) = graph.query("MATCH (n:Thing) WHERE n.done RETURN count(n) AS n")
    return int(row["n"])


def test_a_program_that_starts_while_another_changes_the_schema_waits_and_is_told(
    graph: Graph, tmp_path: Path
) -> None:
    term = timedelta(seconds=1)
    assert graph.write(migrations.claim_lock, owner="another", term=term) == "another"
    known = write_step(tmp_path, "V9001__quick", "MATCH (n:Thing) SET n.done = 1", "RETURN 1")
    said: list[str] = []
    assert migrate(graph, lambda what, *_: said.append(what), known) == ["V9001__quick"]
    assert said[0] == "another process changes the schema"
    assert said[-1] == "V9001__quick"


def test_the_lock_stays_with_one_who_takes_longer_than_its_term(
    graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schema_lock, "TERM", timedelta(seconds=0.4))
    with schema_lock.schema_lock(graph, lambda: None):
        time.sleep(1)
        claim = {"owner": "another", "term": timedelta(seconds=1)}
        assert graph.write(migrations.claim_lock, **claim) is None
    assert graph.query("MATCH (l:SchemaLock) RETURN l") == []


def test_an_older_program_says_how_to_go_back_and_can_do_it(graph: Graph, tmp_path: Path) -> None:
    step = write_step(
        tmp_path, "V9001__new", "CREATE (:Thing {done: true})", "MATCH (n:Thing) DELETE n"
    )
    migrate(graph, known=step)
    with pytest.raises(SchemaMismatch, match=f"newer migration V9001__new.*revert --to {LAST}`"):
        migrate(graph)
    assert revert(graph, LAST) == ["V9001__new"]
    assert done_in(graph) == 0
    assert migrate(graph) == []


def test_a_migration_that_was_edited_after_it_was_applied_is_refused(
    graph: Graph, tmp_path: Path
) -> None:
    migrate(graph, known=write_step(tmp_path, "V9001__new", "RETURN 1 AS one", "RETURN 1"))
    with pytest.raises(SchemaMismatch, match="V9001__new was applied to this graph with another"):
        migrate(graph, known=write_step(tmp_path, "V9001__new", "RETURN 2 AS two", "RETURN 1"))


def test_going_back_to_what_the_graph_never_had_is_refused(graph: Graph) -> None:
    with pytest.raises(NotFound, match="no migration 'V0999'"):
        revert(graph, "V0999")


def test_a_lock_that_is_given_back_at_that_moment_is_taken_or_asked_for_again(graph: Graph) -> None:
    term = timedelta(seconds=10)
    assert graph.write(migrations.claim_lock, owner="first", term=term) == "first"
    deleted = Event()

    def give_back(tx: Transaction) -> None:
        migrations.release_lock(tx, owner="first")
        deleted.set()
        time.sleep(0.5)

    with ThreadPoolExecutor(1) as pool:
        given = pool.submit(graph.write, give_back)
        deleted.wait()
        assert graph.write(migrations.claim_lock, owner="second", term=term) in (None, "second")
        given.result()
    assert graph.write(migrations.claim_lock, owner="second", term=term) == "second"
    graph.write(migrations.release_lock, owner="second")
