"""`up` serves the network only where somebody has a token."""

import json
import signal
from pathlib import Path

import httpx

from lineagegraph.graph import Graph
from lineagegraph.neo4j_server import ServerAddress
from tests.acceptance.processes import Commands, shared, until


def test_the_network_is_served_once_there_is_a_token(
    server: ServerAddress, graph: Graph, tmp_path: Path
) -> None:
    lineagegraph = Commands(tmp_path, shared(server, tmp_path / "home"))
    network = ("up", "--host", "0.0.0.0", "--only", "http")
    refused = lineagegraph(*network)
    assert refused.returncode == 1
    assert "needs a token" in refused.stderr
    added = lineagegraph(
        "token", "add", "ci", "--role", "read", "--role", "write:s3://lake", "--namespace", "*"
    )
    assert added.returncode == 0, added.stderr
    (listed,) = json.loads(lineagegraph("token", "list", "--json").stdout)
    assert (listed["name"], listed["read"], listed["write"]) == ("ci", ["*"], ["s3://lake"])
    assert "hash" not in listed
    up = lineagegraph.start(*network)
    try:
        assert up.stdout is not None
        url = up.stdout.readline().split()[-1].replace("0.0.0.0", "127.0.0.1")
        until(lambda: httpx.get(f"{url}/ready").status_code == 200)
        assert httpx.get(f"{url}/api/v1/jobs").status_code == 401
        token = {"Authorization": f"Bearer {added.stdout.strip()}"}
        assert httpx.get(f"{url}/api/v1/jobs", headers=token).status_code == 200
    finally:
        up.send_signal(signal.SIGINT)
        up.communicate(timeout=30)
