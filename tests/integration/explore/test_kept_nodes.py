"""What is answered of jobs and datasets is read again only if the graph changed."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import count
from threading import Event

import pytest
from msgspec import Raw

from lineagegraph.graph import Graph, LastCommit, Transaction
from lineagegraph.http.plumbing.kept_nodes import KeptNode, KeptNodes
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.store.admin import processes

_READ = "MATCH (n:Job) WHERE n.key IN $keys RETURN n.key AS key, n.fqn AS text"
_SET = "MERGE (n:Job {key: $key}) SET n.fqn = $text"


class Reader:
    """Answers with the texts of nodes, and counts them; `meanwhile` runs after it read."""

    def __init__(self, graph: Graph, kept: KeptNodes) -> None:
        self.count = 0
        self.meanwhile: Callable[[], object] = lambda: None
        self._graph = graph
        self._kept = kept

    def __call__(self, *keys: str) -> list[str]:
        now = self._kept.now()
        rows = self._graph.query(_READ, {"keys": now.lacking([*keys])})
        self.meanwhile()
        self.count += len(rows)
        found = {row["key"]: KeptNode("", True, Raw(row["text"].encode())) for row in rows}
        now.keep(found)
        nodes = now.known | found
        return [bytes(nodes[key].data).decode() for key in keys]


@pytest.fixture
def read(graph: Graph) -> Reader:
    """Reads nodes of a graph that has had heartbeats: its first takes a commit of its own."""
    _beat(graph)
    _beat_of_sensors(graph, 0)
    return Reader(graph, KeptNodes(graph, most_bytes=100))


def _write(graph: Graph, text: str, key: str = "one") -> None:
    graph.query(_SET, {"key": key, "text": text}, write=True)


def _beat(graph: Graph, id: str = "p") -> None:
    graph.write(
        processes.merge_process, id=id, kind="sensors", host="h", pid=1, address=None, now=None
    )


def _beat_of_sensors(graph: Graph, pokes: int) -> None:
    """Give both signs of life of a process that runs sensors."""
    _beat(graph)
    graph.write(processes.set_sensing, id="p", numbers={"pokes": pokes})


def test_a_node_is_read_once_while_only_heartbeats_are_written(graph, read):
    _write(graph, "first")
    for number in range(5):
        assert read("one") == ["first"]
        _beat(graph, f"p{number}")
        _beat_of_sensors(graph, number)
    assert read.count == 1


def test_a_node_is_read_again_after_a_write_of_anybody(graph, server, read):
    with _connection(server) as other:
        for number in range(5):
            _write(other, f"text {number}")
            assert read("one") == read("one") == [f"text {number}"]
    assert read.count == 5


def test_a_node_is_read_again_after_a_process_is_forgotten(graph, read):
    _write(graph, "first")
    read("one")
    graph.write(processes.delete_process, id="p")
    read("one")
    assert read.count == 2


def test_what_a_write_changed_meanwhile_is_not_kept(graph, read):
    _write(graph, "before")
    read.meanwhile = lambda: _write(graph, "after")
    assert read("one") == ["before"]
    read.meanwhile = lambda: None
    assert read("one") == ["after"]


def test_what_a_write_changed_beside_a_heartbeat_is_not_kept(graph, read):
    _write(graph, "before")
    read.meanwhile = lambda: (_beat(graph), _write(graph, "after"), _beat(graph))
    assert read("one") == ["before"]
    read.meanwhile = lambda: None
    assert read("one") == ["after"]


def test_a_heartbeat_while_the_state_of_the_graph_is_asked_for_hides_no_write(
    graph, read, monkeypatch
):
    _write(graph, "before")
    real = Graph.read_until

    def beaten(self: Graph, work: Callable[[Transaction], int]) -> tuple[int, LastCommit | None]:
        def count_and_wait(tx: Transaction) -> int:
            counted = work(tx)
            _beat(self)
            tx.run("RETURN 1").consume()
            return counted

        monkeypatch.undo()
        return real(self, count_and_wait)

    monkeypatch.setattr(Graph, "read_until", beaten)
    assert read("one") == ["before"]
    _write(graph, "after")
    assert read("one") == ["after"]


def test_only_nodes_that_are_not_kept_are_read(graph, read):
    for key in "abc":
        _write(graph, f"text {key}", key)
    read("a", "b")
    assert read("c", "b", "a") == ["text c", "text b", "text a"]
    assert read.count == 3


def test_all_go_if_they_are_too_long_together(graph, read):
    for key in "abc":
        _write(graph, key * 40, key)
    for key in "abcb":
        assert read(key) == [key * 40]
    assert read.count == 4


def test_a_node_that_is_too_long_is_given_and_not_kept(graph, read):
    _write(graph, "x" * 101)
    assert read("one") == read("one") == ["x" * 101]
    assert read.count == 2


def test_a_database_that_does_not_answer_gives_no_nodes(server):
    with _connection(server) as graph:
        kept = KeptNodes(graph)
    now = kept.now()
    assert now.lacking(["one"]) == ["one"]
    now.keep({"one": KeptNode("", True, Raw(b"1"))})
    assert not now.known


def test_nobody_is_given_a_node_from_before_a_write_that_was_acknowledged(graph, server):
    numbers, stop = count(1), Event()
    kept = KeptNodes(graph)
    late: list[tuple[str, str]] = []

    def write_and_read(key: str) -> int:
        read, asked = Reader(graph, kept), 0
        with _connection(server) as other:
            while not stop.is_set():
                written = str(next(numbers))
                _write(other, written, key)
                for _ in range(3):
                    (found,) = read(key)
                    asked += 1
                    if found != written:
                        late.append((written, found))
        return asked

    def load() -> None:
        """Write large transactions, which take long to commit."""
        with _connection(server) as other:
            while not stop.is_set():
                other.query("UNWIND range(1, 10000) AS i CREATE (:Junk {i: i})", write=True)

    def beat() -> None:
        with _connection(server) as other:
            while not stop.is_set():
                _beat(other)

    with ThreadPoolExecutor() as threads:
        asking = [threads.submit(write_and_read, key) for key in "abc"]
        others = [threads.submit(work) for work in (load, beat, beat)]
        stop.wait(4)
        stop.set()
        asked = sum(one.result() for one in asking)
        for one in others:
            one.result()
    assert not late
    assert asked > 50


@contextmanager
def _connection(server: ServerAddress) -> Iterator[Graph]:
    with Graph(server.bolt, server.user, server.password) as graph:
        yield graph
