"""Events that are not committed are on disk, and come out of it again."""

import os

import msgspec
import pytest

from lineagegraph.errors import GraphUnreachable
from lineagegraph.execution import reports, spool
from lineagegraph.execution.logs import Log
from lineagegraph.execution.spool import RunSpool, list_spools, read_spool, spool_path, take_spool


class Graph:
    """A reporter whose graph comes and goes."""

    def __init__(self):
        self.is_away, self.events, self.asked = False, [], 0

    def report(self, events):
        self.asked += 1
        if self.is_away:
            raise GraphUnreachable("no Neo4j answers")
        self.events.extend(events)


@pytest.fixture
def graph():
    return Graph()


@pytest.fixture
def out(tmp_path, graph):
    with Log(tmp_path / "run.log") as log:
        yield reports.Reports(graph, log, spool_path(tmp_path, 3), patience=0.01)


def event(number, kind="START"):
    return {"eventType": kind, "run": {"runId": "r"}, "number": number}


def numbers(events):
    return [one["number"] for one in events]


def test_what_is_not_committed_is_on_disk_in_order_and_what_is_committed_is_not(
    tmp_path, graph, out
):
    graph.is_away = True
    out.report([event(1)])
    out.report([event(2), event(3)])
    ((fence, path),) = list_spools(tmp_path)
    assert (fence, numbers(read_spool(path))) == (3, [1, 2, 3])
    graph.is_away = False
    out.finish(event(4, "COMPLETE"))
    assert numbers(graph.events) == [1, 2, 3, 4]
    assert list_spools(tmp_path) == []


def test_while_the_graph_is_away_nobody_waits_for_it_and_the_end_waits_as_long_as_it_takes(
    graph, out, monkeypatch
):
    naps = []

    def nap(seconds):
        naps.append(seconds)
        graph.is_away = sum(naps) < 100

    monkeypatch.setattr(reports.time, "sleep", nap)
    graph.is_away = True
    out.report([event(1)])
    asked = graph.asked
    out.report([event(2)])
    assert graph.asked == asked
    out.finish(event(3, "COMPLETE"))
    assert numbers(graph.events) == [1, 2, 3]


def test_once_the_graph_is_back_it_is_told_though_nothing_new_happens(graph, out, monkeypatch):
    monkeypatch.setattr(reports, "_POLL_SECONDS", 0.01)
    graph.is_away = True
    out.report([event(1)])
    graph.is_away = False
    out._again.join(10)
    assert numbers(graph.events) == [1]


def test_a_torn_line_loses_only_itself(tmp_path):
    path = spool_path(tmp_path, 1)
    RunSpool(path).append([event(1), event(2)])
    os.truncate(path, path.stat().st_size - 5)
    assert numbers(read_spool(path)) == [1]
    path.write_bytes(b'{"number": \n' + msgspec.json.encode(event(7)) + b"\n")
    assert numbers(read_spool(path)) == [7]


def test_a_disk_that_takes_nothing_hinders_nobody(tmp_path, graph, capsys):
    with Log(tmp_path / "run.log") as log:
        out = reports.Reports(graph, log, tmp_path / "no folder" / "spool", patience=0.01)
        graph.is_away = True
        out.report([event(1)])
        out.report([event(2)])
        graph.is_away = False
        out.finish(event(3, "COMPLETE"))
    assert numbers(graph.events) == [1, 2, 3]
    assert capsys.readouterr().out.count("spool_not_written") == 1


def test_what_is_written_into_a_spool_while_it_is_taken_is_in_the_next_one(tmp_path, monkeypatch):
    path, write_all = spool_path(tmp_path, 1), spool.write_all
    out = RunSpool(path)
    out.append([event(1)])

    def write(file, *args):
        monkeypatch.setattr(spool, "write_all", write_all)
        taken = take_spool(path)
        assert numbers(read_spool(taken)) == [1]
        taken.unlink()
        write_all(file, *args)

    monkeypatch.setattr(spool, "write_all", write)
    out.append([event(2)])
    assert [numbers(read_spool(path)) for _, path in list_spools(tmp_path)] == [[2]]


def test_what_was_taken_from_a_worker_is_older_than_what_it_wrote_since(tmp_path):
    path = spool_path(tmp_path, 1)
    for number in (1, 2, 3):
        RunSpool(path).append([event(number)])
        assert number == 3 or take_spool(path).exists()
    RunSpool(spool_path(tmp_path, 10)).append([event(4)])
    found = [(fence, numbers(read_spool(path))) for fence, path in list_spools(tmp_path)]
    assert found == [(1, [1]), (1, [2]), (1, [3]), (10, [4])]
    (_, oldest), *_ = list_spools(tmp_path)
    assert take_spool(oldest) == oldest
    assert take_spool(tmp_path / "spool-7.ndjson") is None


def test_only_spools_are_spools(tmp_path):
    for name in ("spool-x.ndjson", "spool-1.txt", "spool-10.ndjson", "spool-2.ndjson"):
        (tmp_path / name).touch()
    assert [fence for fence, _ in list_spools(tmp_path)] == [2, 10]
