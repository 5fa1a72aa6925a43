"""Spark settings and clusters of a batch file."""

from collections.abc import Mapping

from lineagegraph.authoring.batch_files.functions import read_function
from lineagegraph.authoring.batch_files.node import Node, entries, text
from lineagegraph.authoring.batch_tasks import spark_settings
from lineagegraph.authoring.batches import listed_clusters
from lineagegraph.authoring.names import checked_name
from lineagegraph.model.pipelines.definition import Cluster

_SPARK = ("master", "conf")


def read_spark(members: Mapping[str, Node]) -> dict[str, str] | None:
    """Return the configuration of the batch's own application."""
    if "spark" not in members:
        return None
    return _settings(members["spark"].members(_SPARK))


def read_clusters(members: Mapping[str, Node]) -> tuple[Cluster, ...]:
    """Return the batch's own cluster and those with a name."""
    own = _cluster("", members["cluster"]) if "cluster" in members else None
    if "clusters" not in members:
        return (own,) if own else ()
    node = members["clusters"]
    named = [
        _cluster(checked_name(name, "cluster", one.origin), one)
        for name, one in node.entries().items()
    ]
    return listed_clusters(own, named, node.origin)


def _cluster(name: str, node: Node) -> Cluster:
    members = node.members((*_SPARK, "create", "destroy"))
    return Cluster(
        name=name,
        spark=_settings(members),
        create=_program(members.get("create")),
        destroy=_program(members.get("destroy")),
    )


def _settings(members: Mapping[str, Node]) -> dict[str, str]:
    where = next(iter(members.values()), None)
    if where is None:
        return {}
    return spark_settings(text(members, "master"), entries(members, "conf"), where.origin)


def _program(node: Node | None) -> tuple[str, ...] | str | None:
    if node is None:
        return None
    if isinstance(node.value, str):
        return ":".join(read_function(node)[:2])
    words = tuple(node.texts())
    if not words:
        raise node.fault("is empty")
    return words
