"""Which code a sweep deletes, and which it keeps."""

import os
import time
from datetime import UTC, datetime, timedelta

import pytest

from lineagegraph.admin.retention import CodeReport, delete_code
from lineagegraph.errors import ArchiveMissing
from lineagegraph.store.pipelines.archives import read_source
from tests.project import Project

TEXT = """
lg.pipeline("p", tasks=[lg.command("a", ["echo", "{word}"])]{rest})
"""


@pytest.fixture
def project(graph, server, tmp_path):
    return Project(tmp_path / "project", graph, tmp_path / "home", archive_graph_bytes=0)


def state(project, word, rest=""):
    """State a version, and return its hash and that of its files."""
    project.state(TEXT.format(word=word, rest=rest))
    (row,) = project.graph.query(
        "MATCH (j:Job {fqn: 'p'}) MATCH (v:JobVersion {hash: j.current_version})-[:BUILT_FROM]->(s)"
        " RETURN v.hash AS version, s.sha256 AS sha256"
    )
    return row["version"], row["sha256"]


def sweep(project, **said):
    later = datetime.now(UTC) + timedelta(hours=2)
    return delete_code(project.graph, project.settings, kept="", now=later, **said)


def is_kept(project, sha256):
    try:
        return bool(read_source(project.graph, project.settings, sha256))
    except ArchiveMissing:
        return False


def test_what_a_run_or_the_current_version_needs_stays_and_the_rest_goes(project):
    _, never_run = state(project, "never run")
    _, ran = state(project, "ran")
    run = project.run("p")
    _, now = state(project, "now")
    assert sweep(project, dry_run=True).archives == 1
    assert [is_kept(project, one) for one in (never_run, ran, now)] == [True, True, True]
    assert sweep(project) == CodeReport(archives=1, functions=0, environments=0, files=1)
    assert [is_kept(project, one) for one in (never_run, ran, now)] == [False, True, True]
    assert sweep(project) == CodeReport(0, 0, 0, 0)
    again = project.rerun(run, policy="as_was")
    for one in (run, again):
        project.graph.query("MATCH (r:Run {id: $id}) DETACH DELETE r", {"id": one}, write=True)
    gone = sweep(project)
    assert (gone.archives, gone.environments, gone.files) == (1, 1, 1)
    assert [is_kept(project, one) for one in (ran, now)] == [False, True]
    state(project, "never run")
    assert is_kept(project, never_run), "what is stated again is kept anew"


def test_a_version_that_reruns_are_pinned_to_stays(project):
    version, pinned = state(project, "pinned")
    state(project, "now", rest=f", rerun='pinned:{version[:12]}'")
    assert sweep(project).archives == 0
    assert is_kept(project, pinned)
    state(project, "now")
    assert sweep(project).archives == 2


def test_files_that_nothing_names_go_once_they_are_old(project):
    _, now = state(project, "now")
    folder = project.settings.home / "archives/ab"
    folder.mkdir(exist_ok=True)
    (folder / f"{'ab' * 32}.zip").write_bytes(b"left by somebody who died")
    (folder / f"{now}.zip.12.part").write_bytes(b"half")
    fresh = folder / f"{'cd' * 32}.zip"
    fresh.write_bytes(b"is being named at this moment")
    os.utime(fresh, (time.time() + 7200, time.time() + 7200))
    assert sweep(project).files == 2
    assert fresh.exists()
    assert is_kept(project, now)
