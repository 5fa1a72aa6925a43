"""Migrations on a small list: once, in order, whoever starts at once, and each with a way back."""

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
from lineagegraph.graph.schema import Migration
from lineagegraph.neo4j_server import ServerAddress
from tests.integration.schema.shape import list_names, list_shape
from tests.integration.schema.steps import start_migrating, write_baseline, write_step

SLOW = (
    "MATCH (n:Thing) WHERE n.done IS NULL CALL (n) { SET n.done = true } IN TRANSACTIONS OF 5 ROWS"
)
SLOW_BACK = "MATCH (n:Thing) CALL (n) { REMOVE n.done } IN TRANSACTIONS"
SIZE = "CREATE INDEX thing_size IF NOT EXISTS FOR (n:Thing) ON (n.size)"
NO_SIZE = "DROP INDEX thing_size IF EXISTS"
THINGS = 4_000


@pytest.fixture(autouse=True)
def baseline(graph: Graph, tmp_path: Path) -> Iterator[list[Migration]]:
    """The small list's baseline; the graph counts as new, and has its own schema back after."""
    own = list_applied(graph)
    graph.query("MATCH (m:Migration) DELETE m", write=True)
    yield write_baseline(tmp_path)
    for drop in ("CONSTRAINT unique_thing", "INDEX thing_place", "INDEX thing_size"):
        graph.query(f"DROP {drop} IF EXISTS", write=True)
    graph.query("MATCH (m:Migration) DELETE m", write=True)
    for one in own:
        graph.write(migrations.merge_migration, name=one.name, checksum=one.checksum, back=one.back)


def names_in(graph: Graph) -> list[str]:
    return [one.name for one in list_applied(graph)]


def test_several_that_start_at_once_apply_all_in_order_once_and_back_and_forward_is_the_same(
    graph: Graph, server: ServerAddress, tmp_path: Path
) -> None:
    write_step(tmp_path, "V0002__size", SIZE, NO_SIZE)
    known = write_step(tmp_path, "V0003__new", "MERGE (:Thing {id: 1})", "MATCH (n:Thing) DELETE n")
    names = ["V0001__baseline", "V0002__size", "V0003__new"]
    graph.query("DROP CONSTRAINT one_schema_lock", write=True)

    def start(_: int) -> list[str]:
        with Graph(server.bolt, server.user, server.password) as own:
            return migrate(own, known=known)

    with ThreadPoolExecutor(4) as pool:
        done = list(pool.map(start, range(4)))
    assert sorted(name for found in done for name in found) == names_in(graph) == names
    assert {"unique_thing", "thing_place", "thing_size", "one_schema_lock"} <= list_names(graph)
    before = list_shape(graph)
    assert migrate(graph, known=known) == []
    assert revert(graph, "V0001", known=known) == names[:0:-1]
    assert names_in(graph) == ["V0001__baseline"]
    assert "thing_size" not in list_names(graph)
    assert graph.query("MATCH (n:Thing) RETURN n") == []
    assert migrate(graph, known=known) == names[1:]
    assert list_shape(graph) == before


def test_what_a_process_had_begun_when_it_was_killed_the_next_one_ends(
    graph: Graph, server: ServerAddress, tmp_path: Path
) -> None:
    migrate(graph, known=list_migrations(tmp_path))
    graph.query("UNWIND range(1, $n) AS i CREATE (:Thing {id: i})", {"n": THINGS}, write=True)
    known = write_step(
        tmp_path, "V0002__slow", f"{SIZE};\n{SLOW};\n", f"{SLOW_BACK};\n{NO_SIZE};\n"
    )
    process = start_migrating(server, tmp_path)
    while not done_in(graph):
        time.sleep(0.02)
        assert process.poll() is None
    process.kill()
    process.wait()
    assert "V0002__slow" not in names_in(graph)
    assert migrate(graph, known=known) == ["V0002__slow"]
    assert done_in(graph) == THINGS
    assert names_in(graph).count("V0002__slow") == 1
    assert revert(graph, "V0001", known=known) == ["V0002__slow"]
    assert done_in(graph) == 0
    assert "thing_size" not in list_names(graph)


def done_in(graph: Graph) -> int:
    (row,) = graph.query("MATCH (n:Thing) WHERE n.done RETURN count(n) AS n")
    return int(row["n"])


def test_a_program_that_starts_while_another_changes_the_schema_waits_and_is_told(
    graph: Graph, tmp_path: Path
) -> None:
    term = timedelta(seconds=1)
    migrate(graph, known=list_migrations(tmp_path))
    assert graph.write(migrations.claim_lock, owner="another", term=term) == "another"
    known = write_step(tmp_path, "V0002__quick", "MATCH (n:Thing) SET n.done = 1", "RETURN 1")
    said: list[str] = []
    assert migrate(graph, lambda what, *_: said.append(what), known) == ["V0002__quick"]
    assert said[0] == "another process changes the schema"
    assert said[-1] == "V0002__quick"


def test_the_lock_stays_with_one_who_takes_longer_than_its_term(
    graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schema_lock, "TERM", timedelta(seconds=0.4))
    with schema_lock.schema_lock(graph, lambda: None):
        time.sleep(1)
        claim = {"owner": "another", "term": timedelta(seconds=1)}
        assert graph.write(migrations.claim_lock, **claim) is None
    assert graph.query("MATCH (l:SchemaLock) RETURN l") == []


def test_a_dead_process_does_not_keep_the_lock_after_the_clock_was_put_back(graph: Graph) -> None:
    assert graph.write(migrations.claim_lock, owner="dead", term=timedelta(hours=1))
    claim = {"owner": "another", "term": schema_lock.TERM}
    assert graph.write(migrations.claim_lock, **claim) == "another"
    graph.write(migrations.release_lock, owner="another")


def test_an_older_program_says_how_to_go_back_and_can_do_it(
    graph: Graph, tmp_path: Path, baseline: list[Migration]
) -> None:
    step = write_step(
        tmp_path, "V0002__new", "CREATE (:Thing {done: true})", "MATCH (n:Thing) DELETE n"
    )
    migrate(graph, known=step)
    with pytest.raises(SchemaMismatch, match=r"newer migration V0002__new.*revert --to V0001`"):
        migrate(graph, known=baseline)
    assert revert(graph, "V0001", known=baseline) == ["V0002__new"]
    assert done_in(graph) == 0
    assert migrate(graph, known=baseline) == []


def test_a_migration_that_was_edited_after_it_was_applied_is_refused(
    graph: Graph, tmp_path: Path
) -> None:
    migrate(graph, known=write_step(tmp_path, "V0002__new", "RETURN 1 AS one", "RETURN 1"))
    with pytest.raises(SchemaMismatch, match="V0002__new was applied to this graph with another"):
        migrate(graph, known=write_step(tmp_path, "V0002__new", "RETURN 2 AS two", "RETURN 1"))


def test_going_back_to_what_the_graph_never_had_is_refused(
    graph: Graph, baseline: list[Migration]
) -> None:
    migrate(graph, known=baseline)
    with pytest.raises(NotFound, match="no migration 'V0999'"):
        revert(graph, "V0999", known=baseline)


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
