"""A version that never ran makes way for another one of the same files."""

from tests.project import Project

UNSTEADY = """
import uuid
lg.pipeline("p", tasks=[lg.command("say", ["echo", str(uuid.uuid4())])], params={"n": 1})
"""


def versions(project):
    return project.graph.query(
        "MATCH (:Job {fqn: 'p'})-[:HAS_VERSION]->(v) RETURN v.hash AS hash ORDER BY v.created_at"
    )


def test_of_many_versions_of_the_same_files_those_that_ran_and_the_last_stay(
    graph, server, tmp_path
):
    project = Project(tmp_path / "project", graph, tmp_path / "home")
    for _ in range(3):
        project.state(UNSTEADY)
    assert len(versions(project)) == 1
    (begun,) = graph.query("MATCH (:Job {fqn: 'p'})-[f:IN_FORCE]->() RETURN f.since AS since")
    run = project.run("p")
    ran = graph.query("MATCH (:Run {id: $id})-[:RAN]->(v) RETURN v.hash AS hash", {"id": run})
    for _ in range(3):
        project.state(UNSTEADY)
    assert len(versions(project)) == 2
    assert ran[0] in versions(project)
    (loose,) = graph.query(
        "MATCH (n:TaskVersion|ParameterVersion|SettingVersion) "
        "WHERE NOT EXISTS { (:JobVersion)-->*(n) } RETURN count(n) AS count".replace(
            "-->*", "-[*]->"
        )
    )
    assert loose["count"] == 0
    spans = graph.query(
        "MATCH (:Job {fqn: 'p'})-[f:IN_FORCE]->() RETURN f.since AS since, f.until AS until"
        " ORDER BY since"
    )
    assert spans[0]["since"] <= begun["since"]
    assert [span["until"] for span in spans] == [spans[1]["since"], None]
    project.rerun(run, policy="as_was")


def test_a_version_of_other_files_stays_though_it_never_ran(graph, server, tmp_path):
    project = Project(tmp_path / "project", graph, tmp_path / "home")
    project.state(UNSTEADY)
    project.state(UNSTEADY + "EDITED = True\n")
    assert len(versions(project)) == 2
