"""Pipelines whose statement moves to another file while their old file is read or forgotten."""

from lineagegraph.graph import Graph
from lineagegraph.reading.write_files import withdraw
from lineagegraph.store.pipelines import definition_files
from tests.definitions import daily, define
from tests.integration.races.overlap import overlap


def test_a_pipeline_that_another_file_states_meanwhile_is_not_withdrawn(graph: Graph) -> None:
    job = define(graph, daily())
    files = [
        {"key": name, "host": "h", "root": "/", "path": f"{name}.py", "file": f"/{name}.py"}
        for name in ("old", "new")
    ]
    graph.write(definition_files.claim_files, rows=files)
    old, new = ({"key": name, "job_key": job, "line": 1} for name in ("old", "new"))
    graph.write(definition_files.link_pipelines, rows=[old])
    withdrawn = overlap(
        graph,
        lambda tx: definition_files.link_pipelines(tx, rows=[new]),
        lambda tx: withdraw(tx, "old", []),
    )
    assert withdrawn == []
    (row,) = graph.query(
        "MATCH (f:DefinitionFile)-[:DECLARES]->(j:Job) RETURN f.key AS file, j.withdrawn_at AS at"
    )
    assert row == {"file": "new", "at": None}
