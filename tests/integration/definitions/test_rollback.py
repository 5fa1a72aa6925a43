"""A pipeline that is rolled back to an older version, and released."""

import pytest

from lineagegraph.errors import NotFound, RunRefused
from lineagegraph.queries.find.find import find_job
from lineagegraph.queries.pins import describe_pin, find_pin
from lineagegraph.runs.rollback import pin_pipeline, release_pipeline
from lineagegraph.runs.stored_version import VersionedJob
from tests.command_line import CommandLine
from tests.project import Project

TEXT = """
{tasks}
lg.pipeline("p", tasks=[{names}], trigger=lg.trigger(lg.on.cron("{cron}"), name="{rule}"))
"""
OLD = TEXT.format(
    tasks='a = lg.command("a", ["echo", "old"])\nb = lg.command("b", ["true"], after=a)',
    names="a, b",
    rule="nightly",
    cron="0 3 * * *",
)
NEW = TEXT.format(
    tasks='a = lg.command("a", ["echo", "new"])', names="a", rule="hourly", cron="0 * * * *"
)


@pytest.fixture
def project(graph, server, tmp_path):
    found = Project(tmp_path / "project", graph, tmp_path / "home")
    found.state(OLD)
    return found


def job(graph):
    found = find_job(graph, "p")
    return VersionedJob(found.key, found.fqn)


def active(graph):
    (row,) = graph.query("MATCH (j:Job {fqn: 'p'}) RETURN j.current_version AS version")
    return row["version"]


def rules(graph):
    return graph.query("MATCH (t:Trigger) WHERE t.deleted_at IS NULL RETURN t.name AS name")


def in_force(graph):
    rows = graph.query(
        "MATCH (:Job {fqn: 'p'})-[f:IN_FORCE]->(v) WHERE f.until IS NULL RETURN v.hash AS hash"
    )
    return [row["hash"] for row in rows]


def test_a_pinned_pipeline_runs_its_old_version_with_its_triggers_whatever_is_synced(project):
    graph = project.graph
    old, old_rules = active(graph), rules(graph)
    project.state(NEW)
    new, new_rules = active(graph), rules(graph)
    assert old_rules != new_rules

    assert pin_pipeline(graph, project.settings, job(graph), old[:6]) == old
    assert (active(graph), in_force(graph), rules(graph)) == (old, [old], old_rules)
    assert project.tasks(project.run("p")) == {"a": "COMPLETED", "b": "COMPLETED"}

    project.state(NEW.replace('"new"', '"newer"'))
    (synced,) = project.sync().pipelines
    assert (synced.pinned, active(graph), rules(graph)) == (old, old, old_rules)
    assert synced.version not in (old, new)
    described = describe_pin(find_pin(graph, job(graph).key))
    assert f"p is pinned to version {old[:12]}, not {synced.version[:12]}, the latest" in described

    assert release_pipeline(graph, job(graph)) == synced.version
    assert (active(graph), in_force(graph)) == (synced.version, [synced.version])
    assert rules(graph) == new_rules
    assert project.tasks(project.run("p")) == {"a": "COMPLETED"}
    assert find_pin(graph, job(graph).key) is None


def test_a_pin_outlives_the_removal_of_its_file(project):
    graph, old = project.graph, active(project.graph)
    project.state(NEW)
    pin_pipeline(graph, project.settings, job(graph), old)
    text = (project.folder / "flows.py").read_text()
    (project.folder / "flows.py").unlink()
    assert project.sync().withdrawn == ["p"]
    (project.folder / "flows.py").write_text(text)
    project.sync()
    assert active(graph) == old
    assert find_pin(graph, job(graph).key).version == old


def test_a_pinned_version_that_never_ran_stays_when_another_of_its_files_is_read(project):
    graph = project.graph
    project.state('import uuid\nlg.pipeline("p", tasks=[lg.command(uuid.uuid4().hex, ["true"])])')
    pinned = active(graph)
    pin_pipeline(graph, project.settings, job(graph), pinned)
    project.sync()
    assert active(graph) == pinned
    (kept,) = graph.query("MATCH (v:JobVersion {hash: $hash}) RETURN v.hash AS h", {"hash": pinned})
    assert kept["h"] == pinned


def test_what_cannot_be_pinned_or_released_changes_nothing(project):
    graph, old = project.graph, active(project.graph)
    with pytest.raises(NotFound, match="has no version beef"):
        pin_pipeline(graph, project.settings, job(graph), "beef")
    with pytest.raises(RunRefused, match="p is not pinned: it runs its latest version"):
        release_pipeline(graph, job(graph))
    assert active(graph) == old


def test_the_commands_pin_and_release_and_one_run_takes_a_version_without_either(project, server):
    graph, old = project.graph, active(project.graph)
    project.state(NEW)
    new = active(graph)
    lineagegraph = CommandLine(server)
    once = lineagegraph("run", "p", "--version", old[:8])
    assert once.returncode == 0, once.stderr
    (ran,) = graph.query(
        "MATCH (r:Run)-[:RAN]->(v) WHERE v.definition IS NOT NULL RETURN v.hash AS h"
    )
    assert (ran["h"], active(graph)) == (old, new)
    assert "give a version, or --latest" in lineagegraph("rollback", "p").stderr
    pinned = lineagegraph("rollback", "p", old[:8])
    assert pinned.stdout.startswith(f"p is pinned to version {old[:12]}")
    assert "pinned" in lineagegraph("status").stdout
    assert f"pinned to version {old[:12]}" in lineagegraph("versions", "p").stderr
    released = lineagegraph("rollback", "p", "--latest")
    assert released.stdout == f"p runs version {new[:12]}, the latest, from now on\n"
    actions = graph.query("MATCH (a:AuditEntry) RETURN a.action AS action ORDER BY a.at")
    assert [row["action"] for row in actions][-2:] == ["pipeline.rollback", "pipeline.release"]
