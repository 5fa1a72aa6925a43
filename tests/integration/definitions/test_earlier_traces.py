"""A version replaces what an earlier one states, and sends no such statement if there was none."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import neo4j
import pytest

from lineagegraph.graph import Graph, Transaction
from lineagegraph.graph.statements import summary
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import record
from lineagegraph.model.names.keys import name_job
from lineagegraph.model.runs.states import RunState
from lineagegraph.model.triggers.condition import OnStatus
from lineagegraph.model.triggers.trigger import Trigger
from lineagegraph.reading import write_files, write_versions
from lineagegraph.reading.parsed_files import SyncResult
from lineagegraph.reading.sync import sync_path
from lineagegraph.reading.write_files import FileToWrite
from lineagegraph.settings import Settings
from lineagegraph.triggers.write import set_trigger
from tests.events import run_event

WORD = 'lg.pipeline("p", tasks=[lg.command("a", ["true"]), lg.command("b", ["true"], after="a")]'
PLAIN = f"{WORD})"
TERMS = """
a = lg.command("a", ["true"], freshness=lg.freshness("1h"))
b = lg.command("b", ["true"], dependencies=[a, lg.depends("x.y", external=True)])
lg.batch("p", tasks=[a, b], trigger=lg.trigger(lg.on.cron("0 2 * * *"), name="nightly"))
"""
REPLACING = (
    "freshness/dependencies/delete_parents",
    "freshness/terms/set_stated",
    "pipelines/versions/delete_replaced",
    "pipelines/versions/list_pins",
    "triggers/conditions/list_unknown",
    "triggers/triggers/list_defined",
)
STATED = """
RETURN
  COUNT { (:Terms {stated: true}) } AS terms,
  COUNT { (:Job)-[:DEPENDS_ON]->(:Job) } AS parents,
  COUNT { (t:Trigger) WHERE t.deleted_at IS NULL } AS triggers,
  COUNT { (:Job)-[f:IN_FORCE]->(:JobVersion) WHERE f.until IS NULL } AS active,
  COUNT { (:DefinitionFault) } AS faults
"""
NOTHING_ELSE = {"terms": 0, "parents": 0, "triggers": 0, "active": 1, "faults": 0}
P = name_job("default", "p")


class Checkout:
    """A folder with one definition file."""

    def __init__(self, folder: Path, graph: Graph, settings: Settings) -> None:
        self._folder, self._graph, self._settings = folder, graph, settings
        folder.mkdir()
        (folder / "lineagegraph.toml").touch()

    def state(self, text: str) -> SyncResult:
        """Write the file, and sync the folder."""
        (self._folder / "flows.py").write_text(f"import lineagegraph as lg\n{text}\n")
        return sync_path(self._graph, self._settings, self._folder)

    def withdraw(self) -> SyncResult:
        """Delete the file, and sync the folder."""
        (self._folder / "flows.py").unlink()
        return sync_path(self._graph, self._settings, self._folder)


@pytest.fixture
def checkout(graph: Graph, settings: Settings, tmp_path: Path) -> Checkout:
    return Checkout(tmp_path / "project", graph, settings)


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The first lines of the statements that are sent."""
    found = list[str]()
    run = neo4j.ManagedTransaction.run

    def recording(self: neo4j.ManagedTransaction, query: str, *given: object) -> object:
        found.append(query.partition("\n")[0].removeprefix("// "))
        return run(self, query, *given)

    monkeypatch.setattr(neo4j.ManagedTransaction, "run", recording)
    return found


def stated(graph: Graph) -> dict[str, object]:
    (row,) = graph.query(STATED)
    return row


def report(graph: Graph, job: str) -> None:
    graph.write(record, extract([run_event(job)]))


def test_a_first_version_replaces_nothing_and_a_second_one_does(
    checkout: Checkout, sent: list[str]
) -> None:
    replacing = {summary(name) for name in REPLACING}
    checkout.state(PLAIN)
    assert replacing.isdisjoint(sent)
    checkout.state(f'{WORD}, params={{"n": 1}})')
    assert replacing <= set(sent)


def test_all_that_a_first_version_states_is_there_and_goes_with_it(
    checkout: Checkout, graph: Graph
) -> None:
    checkout.state(TERMS)
    first = {"terms": 2, "parents": 2, "triggers": 1, "active": 1, "faults": 0}
    assert stated(graph) == first
    checkout.withdraw()
    checkout.state(PLAIN)
    assert stated(graph) == NOTHING_ELSE
    checkout.state(TERMS)
    assert stated(graph) == first


def test_a_file_with_an_earlier_fault_has_none_once_it_states_a_pipeline(
    checkout: Checkout, graph: Graph
) -> None:
    assert checkout.state("raise ValueError('no')").failures
    assert stated(graph)["faults"] == 1
    assert checkout.state(PLAIN).failures == []
    assert stated(graph) == NOTHING_ELSE


def test_a_job_that_events_made_first_keeps_what_people_set(
    checkout: Checkout, graph: Graph
) -> None:
    report(graph, "p")
    rule = Trigger(when=OnStatus(job="nowhere", statuses=(RunState.COMPLETED,)))
    given = {"starts": P.key, "name": "by hand", "namespace": "default", "origin": "schedule"}
    graph.write(set_trigger, rule, **given)
    (one,) = checkout.state(PLAIN).pipelines
    assert one.is_new
    assert one.unknown == ("nowhere",)
    assert stated(graph) == NOTHING_ELSE | {"triggers": 1}
    assert graph.query("MATCH (j:Job {fqn: 'p'})-[:HAS_RUN]->() RETURN j.kind AS kind") == [
        {"kind": "pipeline"}
    ]


def test_a_stub_by_the_name_of_a_first_task_leaves_its_terms_to_the_definition(
    checkout: Checkout, graph: Graph
) -> None:
    """The stub of an earlier definition may have stated terms, which move to the new job."""
    stub = name_job("default", "p.a")
    graph.query(
        "CREATE (j:Job {key: $key, namespace: 'default', name: 'p.a', simple_name: 'p.a', "
        "fqn: 'p.a', kind: 'external', kind_said: '', stub: true, defined: false}) "
        "CREATE (j)-[:HAS_TERMS]->(:Terms {key: 'stated:' + $key, node: $key, stated: true})",
        {"key": stub.key},
        write=True,
    )
    checkout.state(PLAIN)
    assert stated(graph) == NOTHING_ELSE
    assert graph.query("MATCH (j:Job {fqn: 'p.a'}) RETURN count(j) AS count") == [{"count": 1}]


def test_of_two_syncs_at_once_the_second_replaces_what_the_first_states(
    graph: Graph, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held, checked, go = Event(), Event(), Event()
    firsts = list[set[str]]()
    claim, write_jobs = write_files._claim, write_versions._write_jobs

    def claiming(tx: Transaction, files: list[FileToWrite]) -> None:
        if held.is_set():
            checked.set()
        claim(tx, files)

    def writing(tx: Transaction, *given: object) -> object:
        found = write_jobs(tx, *given)
        firsts.append(found[0])
        if not held.is_set():
            held.set()
            assert go.wait(60)
        return found

    monkeypatch.setattr(write_files, "_claim", claiming)
    monkeypatch.setattr(write_versions, "_write_jobs", writing)
    one, other = (Checkout(tmp_path / name, graph, settings) for name in ("one", "other"))
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(one.state, TERMS)
        assert held.wait(60)
        second = pool.submit(other.state, PLAIN)
        assert checked.wait(60)
        assert not second.done()
        go.set()
        assert first.result().failures == second.result().failures == []
    assert firsts == [{P.key}, set()]
    assert stated(graph) == NOTHING_ELSE
