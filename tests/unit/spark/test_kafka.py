"""Names of topics, their versions, and the topics that rows of a plan may name themselves."""

from typing import Any

import pytest

from lineagegraph.spark.action import Table
from lineagegraph.spark.dataset_names import DatasetName
from lineagegraph.spark.kafka.offsets import offsets_between, version_of
from lineagegraph.spark.kafka.topic_column import topics_of_column
from lineagegraph.spark.kafka.topics import name_topics
from lineagegraph.spark.plan_json import PlanNode, parse_tree

SERVERS = {
    "h:9092": "kafka://h:9092",
    " h1:9092 , h2:9093": "kafka://h1:9092",
    "SASL_SSL://h:9092,PLAINTEXT://g:9092": "kafka://h:9092",
    "[::1]:9092": "kafka://[::1]:9092",
    "h": "kafka://h",
    "": "kafka://unknown",
    "user:c4n4ry@h:9092": "kafka://unknown",
}

Node = dict[str, Any]
READ = {10: (Table(DatasetName("kafka://h:1", "a")), Table(DatasetName("kafka://h:1", "b")))}


@pytest.mark.parametrize(("servers", "namespace"), SERVERS.items())
def test_a_topic_is_named_by_the_first_server(servers: str, namespace: str) -> None:
    [found] = name_topics(servers, ["orders.v-1_x"])
    assert (found.namespace, found.name, found.partition) == (namespace, "orders.v-1_x", ())


def test_the_version_of_a_topic_has_the_end_of_each_partition() -> None:
    assert version_of({1: (0, 7), 0: (3, 12)}) == "0:12,1:7"
    assert version_of({}) is None
    assert version_of({0: (-2, -1)}) is None, "the latest one is not known"
    assert version_of(dict.fromkeys(range(201), (0, 1))) is None


class Offset:
    def __init__(self, text: str) -> None:
        self._text = text

    def json(self) -> str:
        return self._text


def test_a_micro_batch_reads_from_one_offset_to_the_next() -> None:
    end = Offset('{"a": {"0": 30, "1": 4}, "b": {"0": 2}}')
    assert offsets_between(Offset('{"a": {"0": 10}}'), end) == {
        "a": {0: (10, 30), 1: (0, 4)},
        "b": {0: (0, 2)},
    }
    assert offsets_between(None, end)["b"] == {0: (0, 2)}


def node(kind: str, *children: list[Node], **fields: Any) -> list[Node]:
    own = {"class": f"x.{kind}", "num-children": len(children), **fields}
    return [own, *(part for child in children for part in child)]


def literal(value: str | None) -> list[Node]:
    return node("Literal", value=value, dataType="string")


def alias(id_: int, child: list[Node]) -> list[Node]:
    return node("Alias", child, name="topic", exprId={"id": id_})


def attribute(id_: int, name: str = "topic") -> list[Node]:
    return node("AttributeReference", name=name, exprId={"id": id_})


def project(expression: list[Node], *children: list[Node]) -> list[Node]:
    return node("Project", *(children or [node("Range")]), projectList=[expression])


def source() -> list[Node]:
    return node("Relation", output=[attribute(10, "key"), attribute(11)])


def case(*children: list[Node]) -> list[Node]:
    return node("CaseWhen", *children)


PLANS = {
    "a literal": (project(alias(1, literal("x"))), {"x"}),
    "a choice": (
        project(alias(1, case(node("IsNull"), literal("x"), node("IsNull"), literal("y")))),
        {"x", "y"},
    ),
    "a choice with else": (
        project(alias(1, case(node("IsNull"), literal("x"), literal(None)))),
        {"x"},
    ),
    "an if": (
        project(alias(1, node("If", node("IsNull"), literal("x"), literal("y")))),
        {"x", "y"},
    ),
    "a function": (project(alias(1, node("Concat", literal("x"), literal("y")))), None),
    "a choice with a function": (
        project(alias(1, node("If", node("IsNull"), literal("x"), node("Concat")))),
        None,
    ),
    "below a filter": (node("Filter", project(alias(1, literal("x")))), {"x"}),
    "renamed": (project(alias(1, attribute(2)), project(alias(2, literal("x")))), {"x"}),
    "of Kafka": (project(alias(1, attribute(11)), source()), {"a", "b"}),
    "another column of Kafka": (project(alias(1, attribute(10, "key")), source()), None),
    "of a file": (
        project(alias(1, attribute(21)), node("Relation", output=[attribute(20), attribute(21)])),
        None,
    ),
    "a union": (
        node("Union", project(alias(1, literal("x"))), project(alias(2, literal("y")))),
        {"x", "y"},
    ),
    "a union with a file": (
        node("Union", project(alias(1, literal("x"))), node("Relation", output=[attribute(2)])),
        None,
    ),
    "made by a generator": (node("Generate", project(alias(5, literal("x")))), None),
}


@pytest.mark.parametrize(("plan", "topics"), PLANS.values(), ids=PLANS)
def test_topics_of_a_column_are_known_if_the_plan_has_them_all(
    plan: list[Node], topics: set[str] | None
) -> None:
    tree: PlanNode = parse_tree(plan)
    assert topics_of_column(tree, 1, READ) == topics
