"""How the tests of the worked example ask."""

from typing import Any
from urllib.parse import quote

import httpx2 as httpx


def path(job: str, tail: str = "", namespace: str = "experimentation") -> str:
    """Return the path of a job, or of what is below it."""
    return f"/api/v1/namespaces/{namespace}/jobs/{quote(job, safe='')}{tail}"


def read(client: httpx.Client, url: str, **parameters: Any) -> Any:
    """Return an answer."""
    answer = client.get(url, params=parameters or None)
    assert answer.status_code == 200, answer.text
    return answer.json()


def runs_of(client: httpx.Client, job: str) -> list[dict[str, Any]]:
    """Return the runs of a job, the newest first."""
    found: list[dict[str, Any]] = read(client, path(job, "/runs"), limit=1000)["runs"]
    return found


def lineage(client: httpx.Client, node: str, **parameters: Any) -> set[tuple[str, str]]:
    """Return the edges of a lineage graph, with short names."""
    body = read(client, "/api/v1/lineage", nodeId=node, **parameters)
    return {
        (short(edge["origin"]), short(edge["destination"]))
        for node in body["graph"]
        for edge in node["outEdges"]
    }


def short(node: str) -> str:
    """Name a dataset without its place, and a job by its task, or by itself without one."""
    kind, _, rest = node.partition(":")
    name = rest.rpartition(":")[2].split(".")
    return name[0] if kind == "dataset" else name[min(1, len(name) - 1)]
