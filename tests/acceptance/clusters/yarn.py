"""A YARN cluster on loopback: a resource manager and a node manager, from Maven's artifacts."""

import os
import socket
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import httpx2 as httpx

from lineagegraph.neo4j_server.jars import jar_cache
from lineagegraph.neo4j_server.lock import Artifact, Lock
from lineagegraph.settings import Settings
from lineagegraph.spark.submit import spark_home
from tests.acceptance.processes import until
from tests.quick_java import QUICK_JAVA

# The servers; their client is among the jars of pyspark, and has to be of the same version.
_ARTIFACTS = (
    Artifact(
        "org.apache.hadoop:hadoop-client-minicluster:3.5.0",
        "06772d24529e59939915979b3edba204d367750ef7dc5120411f35221dd4818c",
        56006450,
    ),
    Artifact(
        "org.bouncycastle:bcpkix-jdk18on:1.78.1",
        "4b48ea084e5232b9d79ebca1887b9de037b124931807cd60710748c2aee08cc9",
        1125173,
    ),
    Artifact(
        "org.bouncycastle:bcprov-jdk18on:1.78.1",
        "add5915e6acfc6ab5836e1fd8a5e21c6488536a8c1f21f386eeb3bf280b702d7",
        8324412,
    ),
    Artifact(
        "org.bouncycastle:bcutil-jdk18on:1.78.1",
        "d9fa56f97b0f761ce3bc8d9d74c5d7137a987bf5bd3abfe1003f9bafa45a1d2f",
        705135,
    ),
)
_SERVERS = "org.apache.hadoop.yarn.server"
_LOOPBACK = "127.0.0.1"


@dataclass(frozen=True)
class Yarn:
    """A running cluster."""

    #: for `HADOOP_CONF_DIR`
    conf: Path
    #: address of the resource manager's REST API
    api: str

    def list_applications(self) -> list[dict[str, Any]]:
        """Return what the cluster knows about its applications."""
        found = httpx.get(f"{self.api}/apps").json()["apps"]
        return list(found["app"]) if found else []

    def kill(self, application: str) -> None:
        """Kill an application, as its owner would."""
        asked = {"state": "KILLED"}
        address = f"{self.api}/apps/{application}/state"
        httpx.put(address, json=asked, params={"user.name": "root"}).raise_for_status()


@contextmanager
def yarn_cluster(folder: Path) -> Iterator[Yarn]:
    """Run a resource manager and a node manager with 6 GB."""
    jars = spark_home() / "jars"
    assert (jars / "hadoop-client-api-3.5.0.jar").is_file(), "the servers are of another Hadoop"
    cache = jar_cache(Settings())
    cache.fill(Lock("", "", _ARTIFACTS))
    conf, ports = folder / "conf", free_ports(5)
    conf.mkdir(parents=True)
    (conf / "yarn-site.xml").write_text(_site(folder, ports))
    servers = [str(cache.file(each)) for each in _ARTIFACTS]
    classes = os.pathsep.join([str(conf), *servers, f"{jars}/*"])
    yarn = Yarn(conf, f"http://{_LOOPBACK}:{ports[0]}/ws/v1/cluster")
    with ExitStack() as stack:
        for name in ("resourcemanager.ResourceManager", "nodemanager.NodeManager"):
            stack.enter_context(_running(folder, classes, name))
        until(lambda: _has_node(yarn), 120)
        yield yarn


def _site(folder: Path, ports: list[int]) -> str:
    manager, node = "yarn.resourcemanager", "yarn.nodemanager"
    parts = ("webapp", "", "scheduler", "resource-tracker", "admin")
    addresses = {
        ".".join(filter(None, (manager, part, "address"))): f"{_LOOPBACK}:{port}"
        for part, port in zip(parts, ports, strict=True)
    }
    own = {f"{node}.{part}": f"{_LOOPBACK}:0" for part in ("address", "webapp.address")}
    own |= {f"{node}.{part}.address": f"{_LOOPBACK}:0" for part in ("localizer",)}
    settings = {
        **addresses,
        **own,
        f"{node}.collector-service.address": f"{_LOOPBACK}:0",
        f"{node}.hostname": _LOOPBACK,
        f"{node}.local-dirs": f"{folder}/local",
        f"{node}.log-dirs": f"{folder}/logs",
        f"{node}.resource.memory-mb": "6144",
        f"{node}.resource.cpu-vcores": "8",
        f"{node}.vmem-check-enabled": "false",
        f"{node}.pmem-check-enabled": "false",
        # The disk of a machine for tests may be nearly full.
        f"{node}.disk-health-checker.enable": "false",
        "yarn.scheduler.minimum-allocation-mb": "256",
        "yarn.scheduler.capacity.root.queues": "default",
        "yarn.scheduler.capacity.root.default.capacity": "100",
        "yarn.scheduler.capacity.maximum-am-resource-percent": "1.0",
    }
    rows = [
        f"<property><name>{name}</name><value>{escape(value)}</value></property>"
        for name, value in settings.items()
    ]
    return "\n".join(["<configuration>", *rows, "</configuration>", ""])


@contextmanager
def _running(folder: Path, classes: str, name: str) -> Iterator[None]:
    command = ["java", "-Xmx384m", *QUICK_JAVA.split(), "-cp", classes, f"{_SERVERS}.{name}"]
    with (folder / f"{name}.log").open("wb") as output:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, cwd=folder
        )
    try:
        yield
    finally:
        process.kill()
        process.wait()


def _has_node(yarn: Yarn) -> bool:
    try:
        return bool(httpx.get(f"{yarn.api}/metrics").json()["clusterMetrics"]["activeNodes"])
    except (httpx.HTTPError, ValueError):
        return False


def free_ports(count: int) -> list[int]:
    """Return ports that nothing listens on."""
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind((_LOOPBACK, 0))
        return [int(each.getsockname()[1]) for each in sockets]
