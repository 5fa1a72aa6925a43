"""Folders of definition files: read when they have changed, withdrawn when they are gone."""

import os
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from lineagegraph.backfills.advance import advance_backfills
from lineagegraph.backfills.change import resume_backfill
from lineagegraph.backfills.start import preview_backfill, start_backfill
from lineagegraph.errors import BackfillRefused, NotFound, RunError
from lineagegraph.graph import Graph, Transaction
from lineagegraph.model.triggers.backfill import BackfillSpan
from lineagegraph.queries.find.find import find_job
from lineagegraph.queries.triggers.backfills import read_backfill
from lineagegraph.queries.versions.as_was import read_job_as_was
from lineagegraph.reading import write_files
from lineagegraph.reading.parsed_files import SyncResult
from lineagegraph.reading.parser import ParsedPipeline
from lineagegraph.reading.refresh import refresh
from lineagegraph.reading.sync import forget_path, sync_path
from lineagegraph.runs.queue import QueueRequest, queue_run
from lineagegraph.settings import Settings
from lineagegraph.store.pipelines import definition_files
from lineagegraph.store.triggers.triggers import delete_trigger

HEAD = "import lineagegraph as lg\nfrom lineagegraph import on\n\n"
ONE = 'lg.pipeline("{}", tasks=[lg.command("a", ["true"])], trigger=on.success("zero"))'
Sync = Callable[..., SyncResult]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").touch()
    return tmp_path


@pytest.fixture
def sync(graph: Graph, settings: Settings, root: Path) -> Sync:
    """Write files of the project, and read the whole of it."""

    def sync(**files: str | None) -> SyncResult:
        for name, text in files.items():
            file = root / f"{name}.py"
            file.unlink(missing_ok=True)
            if text is not None:
                file.write_text(HEAD + text)
        # A file that changed within a tick of the clock is read once more the next time.
        time.sleep(0.03)
        return sync_path(graph, settings, root)

    return sync


def in_force(graph: Graph) -> dict[str, int]:
    """Return the pipelines that are in force, and how many triggers start each."""
    rows = graph.query("""
        MATCH (:DefinitionFile)-[:DECLARES]->(j:Job) WHERE j.withdrawn_at IS NULL
        RETURN j.fqn AS name, COUNT { (t:Trigger {enabled: true})-[:STARTS]->(j) } AS triggers""")
    return {row["name"]: row["triggers"] for row in rows}


def faults(graph: Graph) -> list[str]:
    return [fault.message for fault in graph.read(definition_files.list_faults)]


def turns(graph: Graph) -> dict[str, Any]:
    rows = graph.query("MATCH (f:DefinitionFile) RETURN f.path AS path, f.turn AS turn")
    return {row["path"]: row["turn"] for row in rows}


def test_a_broken_file_does_not_stop_the_others_and_is_a_fault(graph: Graph, sync: Sync):
    result = sync(a=ONE.format("a"), b="1 / 0", d=ONE.format("d"))
    assert [one.pipeline for one in result.pipelines] == ["a", "d"]
    assert result.failures == ["b.py:4: ZeroDivisionError: division by zero"]
    (fault,) = graph.read(definition_files.list_faults)
    assert (fault.file, fault.line, fault.message) == ("b.py", 4, result.failures[0])
    assert not sync(b=ONE.format("b")).failures
    assert faults(graph) == []
    assert in_force(graph) == {"a": 1, "b": 1, "d": 1}


def test_names_of_python_that_lead_to_no_file_stop_no_other(sync: Sync, root: Path):
    (root / "dead.py").symlink_to(root / "gone.py")
    (root / "round.py").symlink_to(root / "round.py")
    (root / "folder.py").mkdir()
    os.mkfifo(root / "pipe.py")
    found = sync(good=ONE.format("good"))
    assert [one.pipeline for one in found.pipelines] == ["good"]
    assert not found.failures


def test_the_last_good_version_stays_in_force(graph: Graph, sync: Sync):
    good = sync(a=ONE.format("a")).pipelines[0].version
    result = sync(a="import nothing_like_it")
    assert len(result.failures) == 1
    assert result.kept == ["a"]
    assert in_force(graph) == {"a": 1}
    (row,) = graph.query("MATCH (j:Job {fqn: 'a'}) RETURN j.current_version AS version")
    assert row["version"] == good


def test_only_what_has_changed_is_read_again(graph: Graph, sync: Sync):
    sync(a="from lib import N\n" + ONE.format("a"), b=ONE.format("b"), lib="N = 1")
    result = sync(b=ONE.format("b") + " # changed")
    assert turns(graph) == {"a.py": 1, "b.py": 2, "lib.py": 1}
    assert [(one.pipeline, one.is_new) for one in result.pipelines] == [("a", False), ("b", True)]
    sync(lib="N = 2")
    assert turns(graph) == {"a.py": 2, "b.py": 2, "lib.py": 2}


def test_a_data_file_that_is_read_belongs_to_the_version(graph: Graph, sync: Sync, root: Path):
    (root / "conf").mkdir()
    (root / "conf/one.json").write_text("{}")
    (root / "conf/.secret").write_text("x")
    text = """
        import json, pathlib
        open("made", "w").write("now")
        open("conf/.secret").read()
        for file in pathlib.Path("conf").glob("*.json"):
            lg.pipeline(file.stem, tasks=[lg.command("a", ["true", file.read_text()])])
    """
    sync(a=dedent(text))
    (row,) = graph.query("MATCH (s:Source) RETURN s.files AS files")
    assert row["files"] == ["a.py", "conf/one.json"]
    (root / "conf/two.json").write_text("[1]")
    assert len(sync().pipelines) == 2
    (root / "conf/one.json").write_text("[2]")
    assert [one.is_new for one in sync().pipelines] == [True, True]
    (root / "conf/.secret").write_text("y")
    assert [one.is_new for one in sync().pipelines] == [False, False]
    assert turns(graph) == {"a.py": 4}


def test_a_pipeline_whose_file_is_gone_is_withdrawn_until_it_is_back(graph: Graph, sync: Sync):
    sync(a=ONE.format("a"), b=ONE.format("b"))
    assert sync(a=None).withdrawn == ["a"]
    assert in_force(graph) == {"b": 1}
    (job,) = graph.query("MATCH (j:Job {fqn: 'a'}) RETURN j.key AS key")
    with pytest.raises(RunError, match=r"the definition of a is gone since 2\d{3}-"):
        queue_run(graph, QueueRequest(job_key=job["key"], fqn="a"))
    (back, _) = sync(a=ONE.format("a")).pipelines
    assert not back.is_new
    assert in_force(graph) == {"a": 1, "b": 1}


def test_a_pipeline_whose_file_is_gone_has_no_backfills_and_no_version_of_now(
    graph: Graph, sync: Sync
):
    sync(a=ONE.format("a"), b=ONE.format("b"))
    sync(a=None)
    key, span = find_job(graph, "a").key, BackfillSpan(rows=[{}])
    for ask in (preview_backfill, start_backfill):
        with pytest.raises(BackfillRefused, match="the definition of a is gone since"):
            ask(graph, key, span)
    assert graph.query("MATCH (b:Backfill) RETURN b") == []
    with pytest.raises(NotFound, match=r"no version of a was active .*: no file defined it then"):
        read_job_as_was(graph, key, datetime.now(UTC))
    sync(a=ONE.format("a"))
    assert start_backfill(graph, key, span).to_run == 1


def test_a_backfill_pauses_while_the_pipeline_is_withdrawn(graph: Graph, sync: Sync):
    sync(a=ONE.format("a"), b=ONE.format("b"))
    backfill = start_backfill(graph, find_job(graph, "a").key, BackfillSpan(rows=[{}])).id
    sync(a=None)
    assert advance_backfills(graph) == 0
    about = read_backfill(graph, backfill).about
    assert about.state == "PAUSED"
    assert str(about.reason).startswith("the definition of a is gone since 2")
    sync(a=ONE.format("a"))
    resume_backfill(graph, backfill)
    assert advance_backfills(graph) == 1


def test_what_somebody_deleted_is_back_with_the_next_sync(graph: Graph, sync: Sync):
    sync(a=ONE.format("a"))
    (trigger,) = graph.query("MATCH (t:Trigger) RETURN t.id AS id")
    graph.write(delete_trigger, id=trigger["id"], now=None)
    assert in_force(graph) == {"a": 0}
    sync()
    assert in_force(graph) == {"a": 1}
    graph.query("MATCH (j:Job {fqn: 'a'}) SET j.hidden_at = datetime()", write=True)
    sync()
    assert graph.query("MATCH (j:Job {fqn: 'a'}) RETURN j.hidden_at AS at") == [{"at": None}]


def test_a_pipeline_that_its_file_states_no_more_is_withdrawn(graph: Graph, sync: Sync):
    sync(a=ONE.format("a") + "\n" + ONE.format("other"))
    assert sync(a=ONE.format("a")).withdrawn == ["other"]
    assert sync(a="x = 1").withdrawn == ["a"]


def test_a_pipeline_may_move_to_another_file(graph: Graph, sync: Sync):
    sync(a=ONE.format("p") + "\n" + ONE.format("q"), b="")
    ids = "MATCH (t:Trigger)-[:STARTS]->(:Job {fqn: 'p'}) RETURN t.created_at AS at"
    before = graph.query(ids)
    result = sync(a=ONE.format("q"), b=ONE.format("p"))
    assert (result.failures, result.withdrawn) == ([], [])
    assert in_force(graph) == {"p": 1, "q": 1}
    assert graph.query(ids) == before
    result = sync(a=None, b=ONE.format("p") + "\n" + ONE.format("q"))
    assert (result.failures, result.withdrawn) == ([], [])
    assert in_force(graph) == {"p": 1, "q": 1}


def test_a_move_is_seen_though_only_the_new_file_is_read(
    graph: Graph, settings: Settings, sync: Sync, root: Path
):
    sync(a=ONE.format("p") + "\n" + ONE.format("q"))
    (root / "a.py").write_text(HEAD + ONE.format("q"))
    (root / "b.py").write_text(HEAD + ONE.format("p"))
    assert sync_path(graph, settings, root / "b.py").failures == []
    assert in_force(graph) == {"p": 1, "q": 1}


def test_a_folder_that_is_missing_withdraws_nothing(
    graph: Graph, settings: Settings, root: Path, sync: Sync
):
    folder = root / "etl"
    folder.mkdir()
    (folder / "a.py").write_text(HEAD + ONE.format("a"))
    sync_path(graph, settings, folder)
    folder.rename(root / "away")
    (failure,) = sync_path(graph, settings, folder).failures
    assert "is missing: its pipelines stay" in failure
    folder.mkdir()
    (failure,) = sync_path(graph, settings, folder).failures
    assert "is empty" in failure
    assert faults(graph) == [failure]
    assert in_force(graph) == {"a": 1}
    folder.rmdir()
    (root / "away").rename(folder)
    assert sync_path(graph, settings, folder).failures == faults(graph) == []
    assert forget_path(graph, folder) == ["a"]
    assert in_force(graph) == {}
    with pytest.raises(NotFound, match="no definitions were read there"):
        forget_path(graph, folder)


def test_the_last_file_of_a_folder_may_go(graph: Graph, settings: Settings, sync: Sync, root: Path):
    folder = root / "etl"
    folder.mkdir()
    (folder / "a.py").write_text(HEAD + ONE.format("a"))
    sync_path(graph, settings, folder)
    (folder / "a.py").unlink()
    assert sync_path(graph, settings, folder).withdrawn == ["a"]


def test_one_name_in_two_files_is_refused_naming_both(graph: Graph, sync: Sync):
    result = sync(a=ONE.format("p") + "\n" + ONE.format("q"), b=ONE.format("p"))
    assert [one.pipeline for one in result.pipelines] == ["q"]
    says = "pipeline p is defined at a.py:4 and defined at b.py:4: rename one"
    assert result.failures == [says, says]


def test_one_name_is_refused_though_the_other_file_was_read_before(graph: Graph, sync: Sync):
    sync(a=ONE.format("etl.a"))
    result = sync(b=ONE.format("etl.a"), c=ONE.format("etl"))
    assert [one.pipeline for one in result.pipelines] == ["etl.a", "etl"]
    assert result.failures == [
        "pipeline etl.a is defined at b.py:4 and the full name of task a of etl at c.py:4 and "
        "defined at a.py:4: rename one"
    ]
    assert in_force(graph) == {"etl.a": 1, "etl": 1}


def test_a_trigger_that_the_graph_refuses_is_a_fault_of_its_pipeline(graph: Graph, sync: Sync):
    bad = ONE.format("p").replace('trigger=on.success("zero")', 'trigger=on.success("p")')
    result = sync(a=bad + "\n" + ONE.format("good"))
    assert [one.pipeline for one in result.pipelines] == ["good"]
    assert result.failures[0].startswith("a.py:4: pipeline p: ")
    assert faults(graph) == result.failures


def test_all_that_lack_a_pool_and_all_in_circles_are_refused_without_a_writing_for_each(
    graph: Graph, sync: Sync, monkeypatch: pytest.MonkeyPatch
) -> None:
    write, written = write_files.write_pipelines, list[int]()

    def counting(tx: Transaction, pipelines: Sequence[ParsedPipeline], **given: Any) -> Any:
        written.append(len(pipelines))
        return write(tx, pipelines, **given)

    monkeypatch.setattr(write_files, "write_pipelines", counting)
    lacking = [ONE.format(f"lacking{n}").replace('["true"]', '["true"], pool="db"') for n in "123"]
    circles = [ONE.format(f"own{n}").replace("zero", f"own{n}") for n in "123"]
    result = sync(a="\n".join([*lacking, *circles, ONE.format("good")]))
    assert [one.pipeline for one in result.pipelines] == ["good"]
    assert [fault.split(":")[2] for fault in result.failures] == [
        *(f" pipeline lacking{n}" for n in "123"),
        *(f" pipeline own{n}" for n in "123"),
    ]
    assert faults(graph) == result.failures
    assert written == [7, 4, 1]


def test_what_is_too_long_for_the_server_is_a_fault_of_its_file_alone(graph: Graph, sync: Sync):
    long = ONE.format("long").replace('on.success("zero")', 'on.event("x" * 40_000)')
    result = sync(a=ONE.format("a"), b=long, c=ONE.format("c"))
    assert [one.pipeline for one in result.pipelines] == ["a", "c"]
    (fault,) = result.failures
    assert fault.startswith("b.py:4: pipeline long: Neo4j refuses")
    assert faults(graph) == [fault]
    assert in_force(graph) == {"a": 1, "c": 1}


@pytest.mark.parametrize("overtaken", [["b"], ["a", "b", "c"]])
def test_files_that_another_process_reads_meanwhile_hold_up_none_that_are_written_with_them(
    graph: Graph, settings: Settings, sync: Sync, root: Path, overtaken: list[str]
):
    sync(a=ONE.format("a"), b=ONE.format("b"), c=ONE.format("c"))
    for name in "abc":
        (root / f"{name}.py").write_text(HEAD + ONE.format(f"{name}2"))
    paths = {"paths": [f"{name}.py" for name in overtaken]}
    overtake = "MATCH (f:DefinitionFile) WHERE f.path IN $paths SET f.turn = f.turn + 1"

    def progress(done: int, total: int) -> None:
        if done == 3:
            graph.query(overtake, paths, write=True)

    result = sync_path(graph, settings, root, progress)
    assert sorted(one.pipeline for one in result.pipelines) == ["a2", "b2", "c2"]
    assert in_force(graph) == {"a2": 1, "b2": 1, "c2": 1}
    assert turns(graph) == {f"{name}.py": 3 if name in overtaken else 2 for name in "abc"}


def test_faults_that_another_process_found_meanwhile_are_told_too(
    graph: Graph, settings: Settings, root: Path
):
    (root / "a.py").write_text(HEAD + "1 / 0")
    (root / "b.py").write_text(HEAD + ONE.format("b"))
    (root / "c.py").write_text(HEAD + "raise ValueError")
    others: list[list[str]] = []

    def progress(done: int, total: int) -> None:
        if done == 3 and not others:
            others.append(sync_path(graph, settings, root).failures)

    failures = sync_path(graph, settings, root, progress).failures
    assert len(failures) == 2
    assert sorted(failures) == sorted(others[0]) == sorted(faults(graph))


def test_a_file_named_alone_must_have_a_pipeline(graph: Graph, settings: Settings, root: Path):
    (root / "a.py").write_text("x = 1")
    (failure,) = sync_path(graph, settings, root / "a.py").failures
    assert "has no pipeline" in failure


def test_a_file_read_alone_has_the_version_that_it_has_in_its_folder(
    graph: Graph, settings: Settings, sync: Sync, root: Path
):
    (whole,) = sync(a=ONE.format("a")).pipelines
    forget_path(graph, root)
    (alone,) = sync_path(graph, settings, root / "a.py").pipelines
    assert (alone.version, alone.file) == (whole.version, whole.file)


DATED = """
import datetime
@lg.task
def load(day: str = str(datetime.date(2026, 1, 1))):
    print(datetime.datetime.now())
if True:
    today = datetime.date.today()
lg.pipeline("p", tasks=[load, lg.command("eow", ["true", str(today)])])
"""


def test_a_file_that_reads_the_clock_is_dynamic_and_says_why(
    graph: Graph, settings: Settings, sync: Sync
):
    (why,) = sync(a=DATED).dynamic
    assert why.because == ("a.py:10 reads the clock: datetime.date.today()",)
    (job,) = graph.query("MATCH (j:Job {fqn: 'p'}) RETURN j.key AS key")
    assert refresh(graph, settings, job["key"]) == []
    assert turns(graph) == {"a.py": 2}
    assert not sync(a=DATED + "lg.file(dynamic=False)").dynamic
    assert refresh(graph, settings, job["key"]) == []
    assert turns(graph) == {"a.py": 3}


def test_a_refresh_reads_a_file_that_was_changed_and_keeps_what_was_good(
    graph: Graph, settings: Settings, sync: Sync, root: Path
):
    sync(a=ONE.format("p"))
    (job,) = graph.query("MATCH (j:Job {fqn: 'p'}) RETURN j.key AS key")
    (root / "a.py").write_text(HEAD + ONE.format("p") + "  # changed")
    assert refresh(graph, settings, job["key"]) == []
    assert turns(graph) == {"a.py": 2}
    (root / "a.py").write_text("1 / 0")
    assert refresh(graph, settings, job["key"]) == ["a.py:1: ZeroDivisionError: division by zero"]
    (root / "a.py").unlink()
    assert "is missing" in refresh(graph, settings, job["key"])[0]
    assert in_force(graph) == {"p": 1}
