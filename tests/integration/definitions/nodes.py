"""A pipeline out of the nodes and relationships of its version, and out of nothing else."""

import json
from collections import defaultdict
from typing import Any

import msgspec

from lineagegraph.graph import Graph
from lineagegraph.model.pipelines.definition import Pipeline

_PARTS = (
    "CONTAINS|HAS_PARAMETER|HAS_SETTING|HAS_TRIGGER|WHEN|OPERAND|LIMITED_BY|TAKES|ASKS|NEEDS|"
    "HAS_CLUSTER"
)
_WALK = f"""
MATCH (:JobVersion {{hash: $hash}})-[:{_PARTS}*0..]->(n)
WITH DISTINCT n
OPTIONAL MATCH (above)-[e:{_PARTS}]->(n)
RETURN elementId(n) AS id, elementId(above) AS above, type(e) AS edge,
       n {{.*, start_date: toString(n.start_date), end_date: toString(n.end_date),
          pipeline_start_date: toString(n.pipeline_start_date),
          pipeline_end_date: toString(n.pipeline_end_date)}} AS said
ORDER BY n.position
"""
_JSON = ("default", "value")
Said = dict[str, Any]


class Node:
    """A node with what is below it, by the type of the relationship."""

    def __init__(self, said: Said) -> None:
        self.said = {name: value for name, value in said.items() if value is not None}
        self.below: dict[str, list[Node]] = defaultdict(list)

    def maps(self) -> dict[str, dict[str, Any]]:
        found: dict[str, dict[str, Any]] = defaultdict(dict)
        for one in self.below["HAS_SETTING"]:
            value = one.said["value"]
            found[one.said["of"]][one.said["name"]] = (
                json.loads(value) if one.said["is_json"] else value
            )
        return found

    def plain(self) -> Said:
        return {n: json.loads(v) if n in _JSON else v for n, v in self.said.items()}


def read_nodes(graph: Graph, hash_: str) -> Pipeline:
    """Return the pipeline that the nodes of a version say."""
    rows = graph.query(_WALK, {"hash": hash_})
    nodes = {row["id"]: Node(row["said"]) for row in rows}
    for row in rows:
        if row["above"]:
            nodes[row["above"]].below[row["edge"]].append(nodes[row["id"]])
    (root,) = (nodes[row["id"]] for row in rows if row["above"] is None or row["edge"] is None)
    return msgspec.convert(pipeline(root, root.said), Pipeline)


def pipeline(node: Node, said: Said) -> Said:
    return said | {
        "tasks": [task(below) for below in node.below["CONTAINS"]],
        "parameters": [below.plain() for below in node.below["HAS_PARAMETER"]],
        "triggers": [trigger(below) for below in node.below["HAS_TRIGGER"]],
        "spark": node.maps()["spark"],
        "clusters": [
            one.said | {"spark": one.maps()["spark"]} for one in node.below["HAS_CLUSTER"]
        ],
    }


def task(node: Node) -> Said:
    maps = ("environment", "conf", "params", "captured")
    said = node.said | {name: node.maps()[name] for name in maps}
    if node.said["runs"] == "pipeline":
        inside = {
            name.removeprefix("pipeline_"): value
            for name, value in node.said.items()
            if name.startswith("pipeline_")
        }
        said["pipeline"] = pipeline(node, inside)
    if node.said["runs"] == "group":
        said["tasks"] = [task(below) for below in node.below["CONTAINS"]]
    emits = None
    if "emits" in node.said:
        pairs = zip(node.said["emits"], node.said["emit_types"], strict=True)
        emits = [{"name": name, "type": type_} for name, type_ in pairs]
    needs = [one.said | {"freshness": terms(one.said)} for one in node.below["NEEDS"]]
    return node.said | {
        "work": said,
        "emits": emits,
        "freshness": terms(node.said),
        "dependencies": needs,
    }


def terms(said: Said) -> Said | None:
    found = {n.removeprefix("freshness_"): v for n, v in said.items() if n.startswith("freshness_")}
    return found or None


def trigger(node: Node) -> Said:
    (when,) = node.below["WHEN"]
    reset = {n: node.said[f"reset_{n}"] for n in ("cron", "zone") if f"reset_{n}" in node.said}
    return node.said | {
        "when": condition(when),
        "reset": reset or None,
        "constraints": [below.said for below in node.below["LIMITED_BY"]],
        "arguments": [below.plain() for below in node.below["TAKES"]],
        "properties": node.maps()["properties"],
    }


def condition(node: Node) -> Said:
    below = [condition(one) for one in node.below["OPERAND"]]
    one = below[0] if below else None
    where = [asked.plain() for asked in node.below["ASKS"]]
    return node.plain() | {"operands": below, "operand": one, "of": one, "where": where}
