"""Which versions a job had, what made each new, and what is different between any two."""

from datetime import timedelta

import pytest

from lineagegraph.errors import Ambiguous, NotFound
from lineagegraph.graph import Graph
from lineagegraph.model.change import Change
from lineagegraph.model.pipelines.definition import Parameter
from lineagegraph.model.pipelines.definition_diff import EdgeDiff, FieldDiff, PartDiff
from lineagegraph.queries.versions.as_was import read_job_as_was
from lineagegraph.queries.versions.find_version import RunOrVersion, find_run_or_version, version_of
from lineagegraph.queries.versions.history import read_versions
from lineagegraph.queries.versions.run_diff import diff_runs_whole
from lineagegraph.queries.versions.version_diff import diff_versions
from lineagegraph.settings import Settings
from lineagegraph.store.pipelines import definition_files
from tests.definitions import define
from tests.integration.explore.theatre import (
    FRIDAY,
    HOUR,
    WEDNESDAY,
    Theatre,
    chain,
    pipeline,
    step,
)

DAILY = pipeline(*chain("a", "b", "c"))
END_OF_WEEK = pipeline(*chain("a", "b", "c", "eow"))
A, B = "a" * 64, "b" * 64
# A version that never ran would be replaced by another of the same files.
RUN_IT = "MATCH (v:JobVersion {hash: $hash}) CREATE (:Run {id: 'ran'})-[:RAN]->(v)"
LATER = FRIDAY + timedelta(days=1)


def test_the_one_in_force_last_comes_first_and_says_what_made_it_new(
    theatre: Theatre, graph: Graph
) -> None:
    job = theatre.state(DAILY, WEDNESDAY)
    theatre.play(DAILY, WEDNESDAY)
    theatre.state(END_OF_WEEK, FRIDAY)
    theatre.play(END_OF_WEEK, FRIDAY)
    theatre.play(END_OF_WEEK, FRIDAY + HOUR)
    theatre.state(DAILY, LATER)
    back, friday = read_versions(graph, job)
    assert [(one.is_current, one.runs) for one in (back, friday)] == [(True, 1), (False, 2)]
    assert friday.news == ("new task eow",)
    assert back.news == ("the first known version",)
    spans = [[(one.since, one.until) for one in row.periods] for row in (back, friday)]
    assert spans == [[(WEDNESDAY, FRIDAY), (LATER, None)], [(FRIDAY, LATER)]]


def test_an_old_version_that_is_back_is_compared_with_the_one_before_it(
    theatre: Theatre, graph: Graph
) -> None:
    job = theatre.state(DAILY, WEDNESDAY)
    theatre.play(DAILY, WEDNESDAY)
    theatre.state(END_OF_WEEK, FRIDAY)
    theatre.play(END_OF_WEEK, FRIDAY)
    theatre.state(pipeline(step("a")), LATER)
    theatre.play(pipeline(step("a")), LATER)
    theatre.state(END_OF_WEEK, LATER + HOUR)
    (back,) = read_versions(graph, job, limit=1)
    assert (back.is_current, back.news) == (True, ("new task eow",))


def test_reading_the_same_again_is_no_new_time_in_force(theatre: Theatre, graph: Graph) -> None:
    job = theatre.state(DAILY, WEDNESDAY)
    theatre.state(DAILY, FRIDAY)
    (only,) = read_versions(graph, job)
    assert [(one.since, one.until) for one in only.periods] == [(WEDNESDAY, None)]


def test_a_pipeline_that_was_withdrawn_has_no_version_in_force_until_it_is_back(
    theatre: Theatre, graph: Graph
) -> None:
    job = theatre.state(DAILY, WEDNESDAY)
    graph.query(
        "MATCH (j:Job {key: $key}) CREATE (:DefinitionFile {key: 'f'})-[:DECLARES]->(j)",
        {"key": job},
        write=True,
    )
    graph.write(definition_files.set_withdrawn, key="f", keep=[], now=FRIDAY)
    (gone,) = read_versions(graph, job)
    assert (gone.is_current, gone.periods[-1].until) == (False, FRIDAY)
    with pytest.raises(NotFound, match="no version of p was active"):
        read_job_as_was(graph, job, FRIDAY + HOUR)
    theatre.state(DAILY, LATER)
    (back,) = read_versions(graph, job)
    assert [one.since for one in back.periods] == [WEDNESDAY, LATER]


def test_what_made_a_version_new_is_said_in_words(graph: Graph) -> None:
    before = pipeline(*chain("a", "b"), parameters=(Parameter(name="day", type="date"),))
    after = pipeline(
        step("a", retries=2),
        step("b"),
        parameters=(Parameter(name="date", type="date"),),
        concurrency=1,
    )
    define(graph, before, now=WEDNESDAY, hash=A, files={"p.py": "x = 1\n", "lib.py": ""})
    job = define(graph, after, now=FRIDAY, hash=B, files={"p.py": "x = 2\n", "lib.py": ""})
    newest, _ = read_versions(graph, job)
    assert newest.news == (
        "changed task a (retries)",
        "new parameter date",
        "no parameter day",
        "order of a → b",
        "concurrency",
        "code of p.py",
    )


def test_two_versions_are_compared_task_by_task_and_line_by_line(
    graph: Graph, settings: Settings
) -> None:
    before = pipeline(*chain("a", "b", "c"), spark={"spark.ui": "yes"})
    after = pipeline(
        step("a"), step("c", "a", timeout=60.0), parameters=(Parameter(name="day", type="date"),)
    )
    old = {"p.py": "import lib\nx = 1\n", "data.bin": "\0a", "lib.py": "y = 1\n"}
    new = {"p.py": "import lib\nx = 2\n", "data.bin": "\0bc", "more.py": "z = 1\n"}
    define(graph, before, now=WEDNESDAY, hash=A, files=old)
    define(graph, after, now=FRIDAY, hash=B, files=new)
    found = diff_versions(graph, settings, A, B)
    stated = found.definition
    assert stated.tasks == (
        PartDiff("b", Change.REMOVED),
        PartDiff("c", Change.CHANGED, (FieldDiff("timeout", None, 60.0),)),
    )
    assert stated.edges == (
        EdgeDiff("a", "b", Change.REMOVED),
        EdgeDiff("a", "c", Change.ADDED),
        EdgeDiff("b", "c", Change.REMOVED),
    )
    assert stated.parameters == (PartDiff("day", Change.ADDED),)
    assert stated.settings == (FieldDiff("spark.ui", "yes", None),)
    files = {file.path: file for file in found.files}
    assert {path: file.change for path, file in files.items()} == {
        "data.bin": Change.CHANGED,
        "lib.py": Change.REMOVED,
        "more.py": Change.ADDED,
        "p.py": Change.CHANGED,
    }
    assert files["p.py"].lines == (
        "--- p.py",
        "+++ p.py",
        "@@ -1,2 +1,2 @@",
        " import lib",
        "-x = 1",
        "+x = 2",
    )
    assert (files["data.bin"].lines, files["data.bin"].after_size) == ((), 3)
    assert found.missing == ()


def test_without_the_archive_the_files_are_compared_by_their_hashes(
    graph: Graph, settings: Settings
) -> None:
    define(graph, DAILY, now=WEDNESDAY, hash=A, files={"p.py": "x = 1\n"})
    define(graph, DAILY, now=FRIDAY, hash=B, files={"p.py": "x = 2\n"})
    graph.query(
        "MATCH (:JobVersion {hash: $hash})-->(s:Source) REMOVE s.archive", {"hash": A}, write=True
    )
    found = diff_versions(graph, settings, A, B)
    assert [(file.path, file.change, file.lines) for file in found.files] == [
        ("p.py", Change.CHANGED, ())
    ]
    (sentence,) = found.missing
    assert sentence.startswith("lines of version aaaaaaaaaaaa: ")


def test_versions_that_state_the_same_in_another_order_are_the_same(
    graph: Graph, settings: Settings
) -> None:
    define(graph, pipeline(step("a"), step("b")), hash=A)
    graph.query(RUN_IT, {"hash": A}, write=True)
    define(graph, pipeline(step("b"), step("a")), hash=B)
    found = diff_versions(graph, settings, A, B)
    assert found.definition.is_same
    assert found.files == ()


def test_two_runs_of_different_versions_differ_in_these(
    theatre: Theatre, graph: Graph, settings: Settings
) -> None:
    theatre.state(DAILY, WEDNESDAY)
    before = theatre.play(DAILY, WEDNESDAY)
    theatre.state(END_OF_WEEK, FRIDAY)
    after = theatre.play(END_OF_WEEK, FRIDAY)
    found = diff_runs_whole(graph, settings, before, after)
    assert found.versions is not None
    assert [part.name for part in found.versions.definition.tasks] == ["eow"]
    assert diff_runs_whole(graph, settings, after, after).versions is None


def test_a_version_is_named_by_a_start_of_its_hash_and_a_run_means_its_own(
    theatre: Theatre, graph: Graph
) -> None:
    define(graph, DAILY, hash=A)
    graph.query(RUN_IT, {"hash": A}, write=True)
    close = "a" * 20 + "b" * 44
    define(graph, END_OF_WEEK, hash=close)
    run = theatre.play(DAILY, WEDNESDAY)
    assert find_run_or_version(graph, A[:21]) == RunOrVersion(version=A)
    assert find_run_or_version(graph, f"p@{close[:21].upper()}") == RunOrVersion(version=close)
    meant = find_run_or_version(graph, run[:13])
    assert meant == RunOrVersion(run=run)
    assert len(version_of(graph, meant)) == 64
    with pytest.raises(Ambiguous, match=r"'a{20}' matches several: a+ of p, a+ of p"):
        find_run_or_version(graph, A[:20])
    with pytest.raises(Ambiguous, match="several versions start with 'a'"):
        find_run_or_version(graph, "p@a")
    with pytest.raises(NotFound, match="no run or version 'zz'"):
        find_run_or_version(graph, "zz")
    with pytest.raises(NotFound, match="the job has no version 'ff'"):
        find_run_or_version(graph, "p@ff")
