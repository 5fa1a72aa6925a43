"""Topics that leaves of plans read, and the rows that their scans counted."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from py4j.protocol import Py4JError

from lineagegraph.spark.action import Statistics, Table
from lineagegraph.spark.dataset_names import DatasetName
from lineagegraph.spark.jvm import class_name, field_value, option
from lineagegraph.spark.kafka.offsets import (
    Offsets,
    addresses_of_rdd,
    offsets_of_relation,
    offsets_of_scan,
    version_of,
)
from lineagegraph.spark.kafka.topics import KafkaOptions, is_kafka, name_topics, topic_namespace
from lineagegraph.spark.plan_json import PlanNode
from lineagegraph.spark.rdd_roots import roots_of

Schema = tuple[dict[str, Any], ...]
Scanned = Mapping[int, Offsets]
"""The offsets that scans have read, by the id of their first attribute."""

_STREAMS = ("StreamingDataSourceV2ScanRelation", "StreamingDataSourceV2Relation")


def kafka_source(leaf: Any, kind: str) -> Any:
    """Return the relation or scan of Kafka that a leaf of a plan has, or None."""
    match kind:
        case "LogicalRelation":
            found = leaf.relation()
        case name if name in _STREAMS:
            found = _scan_of(leaf)
        case _:
            return None
    return found if found is not None and is_kafka(found) else None


def _scan_of(leaf: Any) -> Any:
    try:
        return leaf.scan()
    except Py4JError:  # since Spark 4 only the relation of a batch has one
        return None


def topics_read(
    leaf: Any, source: Any, schema: Schema, scanned: Scanned
) -> tuple[tuple[Table, ...], list[str]]:
    """Return the topics of a leaf with their versions, or the kind that is not understood."""
    options = options_of(source)
    is_batch = class_name(leaf) == "LogicalRelation"
    relation = int(leaf.output().head().exprId().id())
    offsets = scanned.get(relation, {}) if is_batch else offsets_of_relation(leaf)
    names = name_topics(options.servers, dict.fromkeys((*options.topics, *offsets)))
    if not names:
        return (), [f"topics {options.pattern} of {topic_namespace(options.servers)}"]
    return tuple(
        Table(replace(name, version=version_of(offsets.get(name.name, {}))), schema)
        for name in names
    ), []


def is_made_by_kafka(command: Any, plan: PlanNode) -> bool:
    """Return whether this only makes the RDD of a relation: since Spark 4 that is an execution."""
    if plan.name != "DeserializeToObject" or class_name(command.child()) != "LogicalRDD":
        return False
    rdd = command.child().rdd()
    return rdd.name() == "kafka" and any(map(addresses_of_rdd, roots_of(rdd)))


def options_of(source: Any) -> KafkaOptions:
    """Return the options of a relation or scan of Kafka, which has them in a private field."""
    is_relation = class_name(source) == "KafkaRelation"
    return KafkaOptions(field_value(source, "sourceOptions" if is_relation else "options"))


def rows_read(scan: Any) -> dict[DatasetName, Statistics]:
    """Return the rows of each topic that a scan has read; nothing for a scan of something else.

    A scan counts the rows of all its topics together. Offsets tell those of each only if there is
    no gap between them, as transactions leave.
    """
    offsets, counted = offsets_of_scan(scan), option(scan.metrics().get("numOutputRows"))
    if not offsets or counted is None:
        return {}
    is_v1 = class_name(scan) == "RowDataSourceScanExec"
    servers = options_of(scan.relation() if is_v1 else scan.scan()).servers
    total = int(counted.value())
    rows = {
        topic: sum(end - start for start, end in parts.values()) for topic, parts in offsets.items()
    }
    if len(rows) == 1:
        rows = dict.fromkeys(rows, total)
    if sum(rows.values()) != total:
        return {}
    return {name: Statistics(rows=rows[name.name]) for name in name_topics(servers, rows)}
