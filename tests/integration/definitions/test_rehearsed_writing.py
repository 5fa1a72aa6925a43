"""While many files are read, Neo4j plans their writing by a transaction that leaves nothing."""

from pathlib import Path
from threading import Event

import neo4j
import pytest

from lineagegraph.graph import Graph
from lineagegraph.http.ingest.rehearsal import rehearse_triggers
from lineagegraph.reading import reader
from lineagegraph.reading.parsed_files import ParsedFiles
from lineagegraph.reading.sync import sync_path
from lineagegraph.settings import Settings
from tests.acceptance.processes import until

FILE = 'import lineagegraph as lg\nlg.pipeline("{name}", tasks=[lg.command("a", ["true"])])\n'
NAMES = ["one", "two", "three"]
KEPT = "CYPHER replan=skip"


@pytest.fixture
def rehearsed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Each sync rehearses, and writes after it; the numbers of files that were rehearsed."""
    monkeypatch.setattr(reader, "_MANY", 1)
    over, found = Event(), list[int]()
    rehearse, write = ParsedFiles.rehearse, ParsedFiles.write

    def rehearsing(self: ParsedFiles) -> None:
        rehearse(self)
        found.append(len(self._files))
        over.set()

    def writing(self: ParsedFiles, *given: object) -> object:
        assert over.wait(60)
        return write(self, *given)

    monkeypatch.setattr(ParsedFiles, "rehearse", rehearsing)
    monkeypatch.setattr(ParsedFiles, "write", writing)
    return found


def write_files(folder: Path) -> None:
    for name in NAMES:
        (folder / f"{name}.py").write_text(FILE.format(name=name))


def pipelines(graph: Graph) -> list[dict[str, object]]:
    return graph.query(
        "MATCH (j:Job)-[:HAS_VERSION]->(v:JobVersion) WHERE j.current_version IS NOT NULL "
        "RETURN j.fqn AS name, count(v) AS versions ORDER BY name"
    )


def test_a_rehearsal_changes_nothing(
    graph: Graph,
    settings: Settings,
    tmp_path: Path,
    rehearsed: list[int],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ParsedFiles, "write", lambda self, *given: [])
    (tmp_path / "one.py").write_text(FILE.format(name="one"))
    sync_path(graph, settings, tmp_path)
    until(lambda: rehearsed)
    # The path itself is stored before its files are read.
    kept = "MATCH (n) UNWIND labels(n) AS label RETURN DISTINCT label ORDER BY label"
    assert [row["label"] for row in graph.query(kept)] == [
        "AuditEntry",
        "DefinitionPath",
        "Migration",
    ]


def test_files_are_written_once_after_a_rehearsal(
    graph: Graph, settings: Settings, tmp_path: Path, rehearsed: list[int]
) -> None:
    write_files(tmp_path)
    found = sync_path(graph, settings, tmp_path)
    assert rehearsed == [1]
    assert {one.pipeline for one in found.pipelines if one.is_new} == set(NAMES)
    assert pipelines(graph) == [{"name": name, "versions": 1} for name in sorted(NAMES)]


def test_a_first_file_that_is_faulty_is_reported_once(
    graph: Graph, settings: Settings, tmp_path: Path, rehearsed: list[int]
) -> None:
    (tmp_path / "a.py").write_text("import lineagegraph\nraise ValueError('no disk')\n")
    (tmp_path / "b.py").write_text(FILE.format(name="one"))
    found = sync_path(graph, settings, tmp_path)
    assert found.failures == ["a.py:2: ValueError: no disk"]
    assert [one["name"] for one in pipelines(graph)] == ["one"]


def test_many_files_are_written_by_the_plans_of_the_rehearsal(
    graph: Graph,
    settings: Settings,
    tmp_path: Path,
    rehearsed: list[int],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Planned while indexes seem empty, a statement may go over all jobs to find each one."""
    # A server has planned for events, which is no rehearsal of this writing.
    rehearse_triggers(graph)
    sent = list[str]()
    run = neo4j.ManagedTransaction.run

    def recording(self: neo4j.ManagedTransaction, query: str, *given: object) -> object:
        sent.append(query)
        return run(self, query, *given)

    monkeypatch.setattr(neo4j.ManagedTransaction, "run", recording)
    write_files(tmp_path)
    watching = FILE.format(name="four").replace(")\n", ", trigger=lg.on.success('one'))\n")
    (tmp_path / "z.py").write_text(watching)
    sync_path(graph, settings, tmp_path)
    kept = {text.partition("\n")[2] for text in sent if text.startswith(KEPT)}
    assert len(kept) > 10
    assert kept <= set(sent)
    # No file of the rehearsal has needed it.
    links = [text for text in sent if "an unknown job is created as a stub" in text]
    assert len(links) == 1
    assert not links[0].startswith(KEPT)
