"""Topics that commands write: that of their options, or those of a column."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lineagegraph.spark.action import Table, WriteTarget
from lineagegraph.spark.jvm import field_value, option, sequence
from lineagegraph.spark.kafka.topic_column import topics_of_column
from lineagegraph.spark.kafka.topics import KafkaOptions, is_kafka, name_topics, topic_namespace
from lineagegraph.spark.plan_json import PlanNode
from lineagegraph.spark.streams import table_written

Schema = tuple[dict[str, Any], ...]
Relations = Mapping[int, tuple[Table, ...]]


@dataclass(frozen=True)
class Outputs:
    """The outputs of a command, and the kinds of those that are not understood."""

    targets: tuple[WriteTarget, ...] = ()
    opaque: tuple[str, ...] = ()


def kafka_outputs(command: Any, plan: PlanNode, schema: Schema, read: Relations) -> Outputs | None:
    """Return the topics that a command writes; None if it writes to something else."""
    found = _servers_and_topic(command, plan)
    if found is None:
        return None
    servers, topic = found
    topics = (topic,) if topic else _topics_of_rows(command, plan, read)
    if not topics:
        return Outputs(opaque=(f"topic column of {topic_namespace(servers)}",))
    names = name_topics(servers, topics)
    return Outputs(tuple(WriteTarget(Table(name, schema)) for name in names))


def _servers_and_topic(command: Any, plan: PlanNode) -> tuple[str, str | None] | None:
    """Return the servers that a command writes to, and the topic of all its rows if it has one."""
    match plan.name:
        case "SaveIntoDataSourceCommand" if is_kafka(command.dataSource()):
            options = KafkaOptions(command.options())
        case "WriteToMicroBatchDataSource" if is_kafka(table_written(command)):
            options = KafkaOptions(command.writeOptions())
        case "WriteToContinuousDataSource" if is_kafka(write := command.write()):
            servers = field_value(write, "producerParams").get("bootstrap.servers")
            return str(servers), option(field_value(write, "topic"))
        case _:
            return None
    return options.servers, options.topic


def _topics_of_rows(command: Any, plan: PlanNode, read: Relations) -> tuple[str, ...]:
    """Return all topics that the column `topic` may have; nothing if that is not known."""
    query = plan.tree("query")
    columns = {str(column.name()): column for column in sequence(command.query().output())}
    if query is None or "topic" not in columns:
        return ()
    found = topics_of_column(query, int(columns["topic"].exprId().id()), read)
    return tuple(sorted(found or ()))
