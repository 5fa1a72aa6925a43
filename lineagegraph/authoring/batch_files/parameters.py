"""Parameters of a batch file."""

from collections.abc import Mapping
from typing import Any

from lineagegraph.authoring.batch_files.node import Node
from lineagegraph.authoring.parameters import param
from lineagegraph.model.names.nearest import did_you_mean
from lineagegraph.model.pipelines.parameters import PYTHON_TYPES

TYPES = {**PYTHON_TYPES, "json": dict}


def read_parameters(members: Mapping[str, Node]) -> dict[str, Any]:
    """Return what `params` declares: a default, or a `type` with or without one."""
    if "params" not in members:
        return {}
    return {name: _declared(node) for name, node in members["params"].entries().items()}


def _declared(node: Node) -> Any:
    if node.value is None:
        raise node.fault('null has no type: write {"type": …, "default": null}')
    if not isinstance(node.value, dict) or "type" not in node.value:
        return node.plain()
    members = node.members(("type", "default"))
    name = members["type"].text()
    if name not in TYPES:
        raise members["type"].fault(f"{name!r} is no type{did_you_mean(name, TYPES)}")
    if "default" not in members:
        return param(TYPES[name])
    return param(TYPES[name], default=members["default"].plain())
