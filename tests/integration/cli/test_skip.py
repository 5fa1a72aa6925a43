"""`skip`, as processes."""

import json

from lineagegraph.graph import Graph
from lineagegraph.neo4j_server import ServerAddress
from tests.command_line import CommandLine
from tests.definitions import daily, define


def test_jobs_are_skipped_listed_and_skipped_no_longer(graph: Graph, server: ServerAddress) -> None:
    define(graph, daily())
    command = CommandLine(server)

    def skip(*words: str, code: int = 0) -> str:
        done = command("skip", *words)
        assert done.returncode == code, done.stderr
        return done.stdout if code == 0 else done.stderr

    assert "daily.nothing is skipped until 20" in skip(
        "add", "nothing", "--reason", "broken", "--for", "3d", "--author", "ann"
    )
    skip("add", "daily", "--reason", "all of it")
    both = json.loads(skip("list", "--json"))
    assert [(one["job"], one["reason"]) for one in both] == [
        ("daily", "all of it"),
        ("daily.nothing", "broken"),
    ]
    assert "@" in both[0]["author"]
    assert "daily.nothing" in skip("remove", both[1]["id"])
    assert "daily is no longer skipped" in skip("remove", "daily")
    assert "REMOVED" in {one["state"] for one in json.loads(skip("list", "--all", "--json"))}
    assert "no job 'dayly': did you mean daily" in skip(
        "add", "dayly", "--reason", "broken", code=1
    )
    assert "is not a duration" in skip(
        "add", "daily", "--reason", "broken", "--for", "soon", code=2
    )
