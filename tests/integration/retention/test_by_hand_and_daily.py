"""Sweeps by the command and by daemons."""

import json
from datetime import timedelta
from pathlib import Path

import pytest

from lineagegraph.daemon import daemon
from lineagegraph.daemon.daemon import Daemon
from lineagegraph.graph import Graph
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.settings import Settings
from lineagegraph.store.admin.retention import claim_turn, set_turn_done
from tests.acceptance.processes import Commands, shared, until
from tests.events import run_event
from tests.integration.ingest.test_order import record_all
from tests.integration.retention.histories import START, run_ids


def tell_three(graph: Graph) -> None:
    record_all(graph, [[run_event("job", at=START + timedelta(days=day)) for day in range(3)]])


def test_the_command_counts_first_and_deletes_then(
    graph: Graph, server: ServerAddress, tmp_path: Path
) -> None:
    tell_three(graph)
    command = Commands(tmp_path, shared(server, tmp_path))
    dry = json.loads(command("retention", "--older-than", "1d", "--dry-run", "--json").stdout)
    assert (dry["namespaces"]["default"]["runs"], len(run_ids(graph))) == (2, 3)
    done = command("retention", LINEAGEGRAPH_RETENTION='{"default": "1d"}')
    assert done.returncode == 0
    assert len(run_ids(graph)) == 1
    refused = command("retention", "--namespace", "default")
    assert (refused.returncode, refused.stderr.count("\n")) == (1, 1)
    assert refused.stderr.startswith("error: no age is set")


def test_a_daemon_sweeps_where_an_age_is_set(
    graph: Graph, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tell_three(graph)
    monkeypatch.setattr(daemon, "_SWEEP_SECONDS", 0.2)
    ages = {"*": timedelta(days=1)}
    beating = Daemon(graph, settings.model_copy(update={"home": tmp_path, "retention": ages}))
    beating.start()
    try:
        until(lambda: len(run_ids(graph)) == 1)
    finally:
        beating.stop()


def take_turn(graph: Graph, hours: float) -> bool:
    now = START + timedelta(hours=hours)
    day, again = timedelta(days=1), timedelta(hours=3)
    return graph.write(claim_turn, every=day, again=again, now=now) is not None


def test_of_several_daemons_one_sweeps_a_day(graph: Graph) -> None:
    def take(hours: float) -> bool:
        taken = take_turn(graph, hours)
        graph.write(set_turn_done)
        return taken

    assert [take(0), take(12), take(24), take(47), take(48)] == [True, False, True, False, True]


def test_a_sweep_that_was_cut_short_goes_on_the_same_day(graph: Graph) -> None:
    assert [take_turn(graph, hours) for hours in (0, 2, 3, 5)] == [True, False, True, False]
    graph.write(set_turn_done)
    assert [take_turn(graph, hours) for hours in (7, 26, 27)] == [False, False, True]


def test_a_clock_that_is_put_back_holds_up_the_daily_sweep_for_a_day_at_most(graph: Graph) -> None:
    assert take_turn(graph, 1000)
    graph.write(set_turn_done)
    assert take_turn(graph, 0)
