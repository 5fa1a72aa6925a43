"""A real Kafka of one node on loopback, from its Maven jars."""

import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import jgo
import msgspec
from confluent_kafka import Consumer, KafkaException
from confluent_kafka.admin import AdminClient, NewTopic

from lineagegraph.neo4j_server import find_java
from lineagegraph.settings import Settings
from tests.acceptance.processes import until

ENDPOINT = "org.apache.kafka:kafka_2.13:4.1.1"
CLUSTER = "bGluZWFnZWdyYXBoLWthZg"
PROPERTIES = """
process.roles=broker,controller
node.id=1
listeners=PLAINTEXT://127.0.0.1:{port},CONTROLLER://127.0.0.1:{controller}
advertised.listeners=PLAINTEXT://127.0.0.1:{port}
controller.listener.names=CONTROLLER
controller.quorum.voters=1@127.0.0.1:{controller}
log.dirs={folder}/data
offsets.topic.replication.factor=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
group.initial.rebalance.delay.ms=0
"""


class Broker:
    """A broker that can be killed and started again with its data."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._port, controller = free_port(), free_port()
        self._file = folder / "server.properties"
        self._file.write_text(
            PROPERTIES.format(port=self._port, controller=controller, folder=folder)
        )
        self._process: subprocess.Popen[bytes] | None = None
        java = find_java(Settings())
        self._java = str(java / "bin" / "java") if java else "java"
        jars = Path(jgo.build(ENDPOINT).path).rglob("*.jar")
        self._classpath = ":".join(map(str, jars))
        self._run("kafka.tools.StorageTool", "format", "-t", CLUSTER, "-c", str(self._file)).wait()

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self._port}"

    def start(self) -> None:
        """Start it, and wait until it answers."""
        self._process = self._run("kafka.Kafka", str(self._file))
        until(self._answers, 90)

    def kill(self) -> None:
        """End it without a word."""
        if self._process:
            self._process.kill()
            self._process.wait()

    def make_topic(self, name: str, partitions: int) -> None:
        admin = self._admin()
        (made,) = admin.create_topics([NewTopic(name, partitions, 1)]).values()
        made.result(30)

    def read(self, topic: str, count: int) -> list[tuple[str, int, dict[str, Any]]]:
        """The keys, partitions and values of a topic's first messages."""
        consumer = Consumer(
            {"bootstrap.servers": self.address, "group.id": "t", "auto.offset.reset": "earliest"}
        )
        consumer.subscribe([topic])
        try:
            found = consumer.consume(count, timeout=60)
        finally:
            consumer.close()
        return [(m.key().decode(), m.partition(), msgspec.json.decode(m.value())) for m in found]

    def _admin(self) -> AdminClient:
        return AdminClient({"bootstrap.servers": self.address, "log_level": 0})

    def _answers(self) -> bool:
        assert self._process
        assert self._process.poll() is None, (self._folder / "log.txt").read_text()[-2000:]
        try:
            return bool(self._admin().list_topics(timeout=1).brokers)
        except KafkaException:
            return False

    def _run(self, main: str, *words: str) -> "subprocess.Popen[bytes]":
        command = [self._java, "-Xmx256m", "-cp", self._classpath, main, *words]
        with (self._folder / "log.txt").open("ab") as output:
            return subprocess.Popen(command, stdout=output, stderr=output)


@contextmanager
def kafka(folder: Path) -> Iterator[Broker]:
    """A broker that runs meanwhile."""
    broker = Broker(folder)
    broker.start()
    try:
        yield broker
    finally:
        broker.kill()


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port
