"""`up` serves the network only where somebody has a token; `token` makes and revokes them."""

import json
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest
from typer.testing import CliRunner

from lineagegraph.admin.tokens import add_token
from lineagegraph.cli.operate import token
from lineagegraph.graph import Graph
from lineagegraph.model.access import Role
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.settings import load_settings
from tests.acceptance.processes import Commands, shared, until


@pytest.fixture
def environment(
    server: ServerAddress, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """Settings of this process as those of a command are, read anew."""
    for name, value in shared(server, tmp_path / "home").items():
        monkeypatch.setenv(name, value)
    load_settings.cache_clear()
    yield
    load_settings.cache_clear()


def run(*words: str) -> Any:
    return CliRunner().invoke(token.app, words)


def test_the_network_is_served_once_there_is_a_token(
    server: ServerAddress, graph: Graph, tmp_path: Path
) -> None:
    lineagegraph = Commands(tmp_path, shared(server, tmp_path / "home"))
    network = ("up", "--host", "0.0.0.0", "--only", "http")
    refused = lineagegraph(*network)
    assert refused.returncode == 1
    assert "needs a token" in refused.stderr
    added = add_token(graph, "ci", {Role.READ: frozenset({"*"})})
    up = lineagegraph.start(*network)
    try:
        assert up.stdout is not None
        url = up.stdout.readline().split()[-1].replace("0.0.0.0", "127.0.0.1")
        until(lambda: httpx.get(f"{url}/ready").status_code == 200)
        assert httpx.get(f"{url}/api/v1/jobs").status_code == 401
        headers = {"Authorization": f"Bearer {added}"}
        assert httpx.get(f"{url}/api/v1/jobs", headers=headers).status_code == 200
    finally:
        up.send_signal(signal.SIGINT)
        up.communicate(timeout=30)


@pytest.mark.usefixtures("environment")
def test_tokens_are_made_listed_and_revoked(graph: Graph) -> None:
    roles = ("--role", "read", "--role", "write:s3://lake", "--namespace", "*")
    added = run("add", "ci", *roles)
    assert added.exit_code == 0, added.output
    (listed,) = json.loads(run("list", "--json").output)
    assert (listed["name"], listed["read"], listed["write"]) == ("ci", ["*"], ["s3://lake"])
    assert "hash" not in listed
    shown = run("list").output
    assert "s3://lake" in shown
    assert added.output.strip() not in shown
    rotated = run("rotate", "ci", "--grace", "1h", "--expires", "30d")
    assert rotated.exit_code == 0, rotated.output
    assert rotated.output.strip() != added.output.strip()
    assert "the old one" in run("list").output
    (listed,) = json.loads(run("list", "--json").output)
    assert all(listed[name] for name in ("expires_at", "rotated_at", "old_until"))
    assert run("rotate", "ci", "--grace", "soon").exit_code == 2
    assert run("revoke", "ci").exit_code == 0
    assert graph.query("MATCH (t:Token) RETURN t") == []
