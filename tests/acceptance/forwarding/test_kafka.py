"""Events arrive in a real Kafka, in order, though it is killed meanwhile."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from lineagegraph.graph import Graph
from lineagegraph.model.outbox.targets import Forward
from tests.acceptance.forwarding.kafka import Broker, kafka
from tests.integration.forwarding.targets import forwarder, later, record, story, target

pytestmark = pytest.mark.soak
TOPIC = "lineage"


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    with kafka(tmp_path_factory.mktemp("kafka")) as found:
        found.make_topic(TOPIC, partitions=4)
        yield found


def test_what_kafka_did_not_take_is_sent_when_it_is_back(
    graph: Graph, broker: Broker, tmp_path: Path
) -> None:
    said = {
        "type": "kafka",
        "topic": TOPIC,
        "config": {"bootstrap.servers": broker.address, "message.timeout.ms": 3000},
    }
    company = forwarder(graph, Forward(name="company", transport=said))
    sent = record(graph, *[event for job in ("a", "b", "c") for event in story(job)])
    assert company.send_due() == 9
    broker.kill()
    sent += record(graph, *[event for job in ("a", "b", "c") for event in story(job)])
    assert company.send_due() == 0
    found = target(graph)
    assert found.waiting == 9
    assert found.error
    assert "Kafka refused it" in found.error
    assert broker.address not in found.error
    broker.start()
    assert company.send_due(later(15)) == 9
    messages = broker.read(TOPIC, 18)
    assert {key for key, _, _ in messages} == {"run:default/a", "run:default/b", "run:default/c"}
    for job in ("a", "b", "c"):
        arrived = [event for key, _, event in messages if key == f"run:default/{job}"]
        assert arrived == [event for event in sent if event["job"]["name"] == job]
        assert len({part for key, part, _ in messages if key == f"run:default/{job}"}) == 1


def test_of_several_targets_in_one_an_event_counts_once_all_have_it(
    graph: Graph, broker: Broker, tmp_path: Path
) -> None:
    inner = {"type": "kafka", "topic": TOPIC, "config": {"bootstrap.servers": broker.address}}
    file = {"type": "file", "log_file_path": str(tmp_path / "events"), "append": True}
    said = {"type": "composite", "transports": [file, inner]}
    company = forwarder(graph, Forward(name="company", transport=said))
    record(graph, *story("d"))
    assert company.send_due() == 3
    assert len((tmp_path / "events").read_text().splitlines()) == 3
