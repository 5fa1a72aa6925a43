"""What the graph holds, in a form that a test can state."""

from typing import Any

from lineagegraph.graph import Graph


def jobs(graph: Graph) -> dict[str, tuple[str, str, str]]:
    """Return own namespace, kind and the states of the runs of each job, by FQN."""
    rows = graph.query(
        "MATCH (j:Job) OPTIONAL MATCH (j)-[:HAS_RUN]->(r:Run) WITH j, r ORDER BY r.created_at "
        "RETURN j.fqn AS fqn, j.namespace AS namespace, j.kind AS kind, collect(r.state) AS states"
    )
    return {r["fqn"]: (r["namespace"], r["kind"], " ".join(r["states"])) for r in rows}


def parents(graph: Graph) -> dict[str, list[str]]:
    """Return the FQNs of the parents of each job; more than one is a fault."""
    return _by_name(
        graph.query(
            "MATCH (j:Job) OPTIONAL MATCH (p:Job)-[:PARENT_OF]->(j) "
            "RETURN j.fqn AS name, collect(p.fqn) AS found"
        )
    )


def run_chains(graph: Graph) -> set[str]:
    """Return the ancestors of each run, as `dag > task > application`."""
    rows = graph.query(
        "MATCH path = (root:Run)-[:PARENT_OF*0..]->(:Run) WHERE NOT (:Run)-[:PARENT_OF]->(root) "
        "RETURN [run IN nodes(path) | run.name] AS names"
    )
    return {" > ".join(row["names"]) for row in rows}


def flows(graph: Graph) -> set[str]:
    """Return what flows where: `dataset > job` and `job > dataset`, by last parts of names."""
    rows = graph.query(
        "MATCH (d:Dataset)-[:FEEDS]->(j:Job) RETURN [d.name, j.fqn] AS flow "
        "UNION MATCH (j:Job)-[:PRODUCES]->(d:Dataset) RETURN [j.fqn, d.name] AS flow"
    )
    return {" > ".join(name.split("/")[-1] for name in row["flow"]) for row in rows}


def columns(graph: Graph) -> set[str]:
    """Return which columns are directly made from which: `orders.amount > totals.total`."""
    rows = graph.query(
        "MATCH (a:Dataset)-[:HAS_FIELD]->(from:Field)<-[d:DERIVED_FROM]-(to:Field)"
        "<-[:HAS_FIELD]-(b:Dataset) WHERE d.type = 'DIRECT' "
        "RETURN a.name AS a, from.name AS from, b.name AS b, to.name AS to"
    )
    return {f"{_last(r['a'])}.{r['from']} > {_last(r['b'])}.{r['to']}" for r in rows}


def row_counts(graph: Graph) -> dict[str, int | None]:
    """Return how many rows each dataset was last said to be written with."""
    rows = graph.query(
        "MATCH (:Run)-[w:WRITES]->(:DatasetVersion)<-[:HAS_VERSION]-(d:Dataset) "
        "RETURN d.name AS name, w.row_count AS found ORDER BY w.last_seen"
    )
    return {_last(row["name"]): row["found"] for row in rows}


def schema(graph: Graph, dataset: str) -> list[str]:
    """Return the columns of a dataset's latest schema."""
    rows = graph.query(
        "MATCH (d:Dataset)-[:HAS_FIELD]->(f:Field {current: true}) "
        "WHERE last(split(d.name, '/')) = $dataset RETURN f.name AS name ORDER BY name",
        {"dataset": dataset},
    )
    return [row["name"] for row in rows]


def _by_name(rows: list[dict[str, Any]]) -> dict[str, list[str]]:
    return {row["name"]: row["found"] for row in rows}


def _last(name: str) -> str:
    return name.split("/")[-1]
