"""`forwards`, and what `status` says of targets, as processes."""

import json
from pathlib import Path

import pytest

from lineagegraph.cli.operate.status import describe_lag
from lineagegraph.graph import Graph
from lineagegraph.neo4j_server import ServerAddress
from tests.acceptance.processes import Commands, shared
from tests.integration.forwarding.targets import forwarder, record, story, target, to
from tests.receiver import Receiver, receiver

__all__ = ["receiver"]
TARGETS = """
[[forward]]
name = "company"
url = "{url}"
headers = {{ x-key = "secret-part" }}
"""


@pytest.fixture
def commands(server: ServerAddress, receiver: Receiver, tmp_path: Path) -> Commands:
    (tmp_path / "lineagegraph.toml").write_text(TARGETS.format(url=receiver.url))
    return Commands(tmp_path, shared(server, tmp_path / "home"))


def test_targets_are_listed_with_what_waits_and_why(
    graph: Graph, receiver: Receiver, commands: Commands
) -> None:
    company = forwarder(graph, to(receiver))
    record(graph, *story())
    receiver.answers = [204, 400, 503]
    company.send_due()
    shown = commands("forwards")
    assert (shown.returncode, shown.stderr) == (0, "")
    assert "company  own    1" in shown.stdout
    assert "NotDelivered: the server returned 503" in shown.stdout
    (found,) = json.loads(commands("forwards", "--json").stdout)
    assert (found["waiting"], found["sent"], found["refused"]) == (1, 1, 1)
    (told,) = json.loads(commands("status", "--json").stdout)["forwards"]
    assert told == found
    assert describe_lag(found).startswith("company: 1 waiting since ")
    assert describe_lag(found).endswith("1 refused, NotDelivered: the server returned 503")
    assert "the server returned 400" in commands("forwards", "refused").stdout
    redriven = commands("forwards", "redrive", "company")
    assert redriven.stdout == "1 waiting for company again\n"
    assert company.send_due() == 2
    assert target(graph).refused == 0


def test_a_target_is_tried_and_forgotten(
    graph: Graph, receiver: Receiver, commands: Commands
) -> None:
    forwarder(graph, to(receiver))
    sent = commands("forwards", "test", "company")
    assert (sent.returncode, sent.stdout) == (0, "sent to company\n")
    assert receiver.headers[0]["x-key"] == "secret-part"
    receiver.answers = [401]
    refused = commands("forwards", "test", "company")
    assert refused.returncode == 1
    assert refused.stderr.strip().endswith("target company: the server returned 401")
    unknown = commands("forwards", "test", "elsewhere")
    assert unknown.returncode == 1
    assert "the setting forward has company" in unknown.stderr
    assert commands("forwards", "forget", "company").stdout == "forgot company\n"
    gone = commands("forwards", "forget", "company")
    assert gone.returncode == 1
    assert "no target 'company': the graph has none" in gone.stderr
