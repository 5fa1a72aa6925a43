"""The offsets that scans and RDDs read, by topic and partition."""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from lineagegraph.spark.jvm import class_name, field_value, fields_of, option, sequence, texts
from lineagegraph.spark.kafka.topics import is_kafka, topic_address
from lineagegraph.spark.rdd_roots import roots_of

Offsets = dict[str, dict[int, tuple[int, int]]]
"""The first offset that is read and the end, by topic and partition.

A batch may have the negative numbers that stand for the earliest and the latest offset.
"""

_MOST_PARTITIONS = 200
_RANGE = re.compile(
    r"KafkaOffsetRange\((?P<topic>[\w.-]+)-(?P<part>\d+),(?P<start>-?\d+),(?P<end>-?\d+),"
)


def version_of(partitions: dict[int, tuple[int, int]]) -> str | None:
    """Return the version of a topic after a read: `0:30,1:20`; None if not known, or very long."""
    is_known = all(end >= 0 for _, end in partitions.values())
    if not partitions or not is_known or len(partitions) > _MOST_PARTITIONS:
        return None
    return ",".join(f"{partition}:{end}" for partition, (_, end) in sorted(partitions.items()))


def offsets_between(start: Any, end: Any) -> Offsets:
    """Return the offsets of a micro-batch from Spark's own, of which the first may be None."""
    before: dict[str, dict[str, int]] = json.loads(start.json()) if start is not None else {}
    after: dict[str, dict[str, int]] = json.loads(end.json())
    return {
        topic: {int(part): (before.get(topic, {}).get(part, 0), to) for part, to in parts.items()}
        for topic, parts in after.items()
    }


def offsets_of_relation(leaf: Any) -> Offsets:
    """Return the offsets of a leaf of a stream; none before they are known."""
    end = option(leaf.endOffset())
    return {} if end is None else offsets_between(option(leaf.startOffset()), end)


def offsets_of_scan(scan: Any) -> Offsets:
    """Return the offsets that an executed scan of Kafka has read; none for another scan."""
    match class_name(scan):
        case "MicroBatchScanExec" if is_kafka(scan.scan()):
            return offsets_between(scan.start(), scan.end())
        case "BatchScanExec" if is_kafka(scan.scan()):
            return _merged(map(_range, sequence(scan.inputPartitions())))
        case "RowDataSourceScanExec" if is_kafka(scan.relation()):
            return _merged(text for root in roots_of(scan.rdd()) for text in _ranges(root))
    return {}


def addresses_of_rdd(root: Any) -> list[str]:
    """Return the URLs of the topics that an RDD without parents reads; none for another one."""
    match class_name(root):
        case "KafkaSourceRDD":
            servers = field_value(root, "executorKafkaParams").get("bootstrap.servers")
            return [topic_address(servers, topic) for topic in _merged(_ranges(root))]
        case "DataSourceRDD":
            parts = list(islice(_input_partitions(root), _MOST_PARTITIONS))
            if parts and all(map(is_kafka, parts)):
                servers = parts[0].executorKafkaParams().get("bootstrap.servers")
                return [topic_address(servers, topic) for topic in _merged(map(_range, parts))]
    return []


def _input_partitions(root: Any) -> Iterator[Any]:
    """Yield the input partitions of an RDD of V2: each has an Option of one, or several."""
    for partition in root.partitions():
        for held in fields_of(partition):
            yield from sequence(held)


def _ranges(root: Any) -> list[str]:
    return texts(field_value(root, "offsetRanges"))


def _range(partition: Any) -> str:
    return str(partition.offsetRange().toString())


def _merged(ranges: Iterable[str]) -> Offsets:
    """Return the offsets of Kafka's ranges as text; a partition may be read in several parts."""
    found: Offsets = defaultdict(dict)
    for each in map(_RANGE.match, ranges):
        if each:
            parts, part = found[each["topic"]], int(each["part"])
            start, end = int(each["start"]), int(each["end"])
            known = parts.get(part, (start, end))
            parts[part] = min(known[0], start), max(known[1], end)
    return dict(found)
