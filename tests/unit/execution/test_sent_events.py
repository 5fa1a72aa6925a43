"""Drivers on clusters send their events over HTTP: none is lost while the server is away."""

import json
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest

from lineagegraph.execution.emit import emit
from lineagegraph.execution.kinds.capture_context import context_variable
from lineagegraph.execution.kinds.cluster_program import main
from lineagegraph.execution.kinds.kept_events import KeptEvents, capture_variables, report_kept
from lineagegraph.execution.kinds.sent_events import SentEvents
from lineagegraph.spark.context import TaskContext
from tests.full_disks import files_of_at_most

# Names that a shell would run.
TASK = TaskContext("r", "shop", 'a"$(b)', "t", "shop", "p")


@dataclass
class Server:
    """Takes events; it answers with `answers` in turn, then that all were taken."""

    port: int
    answers: list[tuple[int, dict[str, Any]]] = field(default_factory=list)
    taken: list[dict[str, Any]] = field(default_factory=list)
    tokens: set[str | None] = field(default_factory=set)


@contextmanager
def serving(server: Server) -> Iterator[None]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            sent = json.loads(self.rfile.read(int(self.headers["content-length"])))
            server.tokens.add(self.headers["authorization"])
            status, answer = server.answers.pop(0) if server.answers else (200, {})
            if status == 200 and not answer:
                server.taken += sent if isinstance(sent, list) else [sent]
            body = json.dumps({"failed_events": []} | answer).encode()
            self.send_response(status)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None: ...

    http = ThreadingHTTPServer(("127.0.0.1", server.port), Handler)
    Thread(target=http.serve_forever, args=(0.05,), daemon=True).start()
    yield
    http.shutdown()
    http.server_close()


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Server:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    variables = {"OPENLINEAGE_URL": f"http://127.0.0.1:{port}", "LINEAGEGRAPH_TOKEN": "lgr_x"}
    for name, value in (variables | context_variable(TASK)).items():
        monkeypatch.setenv(name, value)
    return Server(port)


def events(start: int, end: int) -> list[dict[str, Any]]:
    return [{"n": number} for number in range(start, end)]


def test_events_of_the_time_when_the_server_was_away_come_first_and_in_order(server: Server):
    driver = SentEvents()
    driver.keep(events(0, 250))
    assert driver.context == TASK
    with serving(server):
        driver.keep(events(250, 260))
        driver.close()
    assert server.taken == events(0, 260)
    assert server.tokens == {"Bearer lgr_x"}


def test_what_the_server_cannot_take_yet_is_sent_again(server: Server):
    later = {"failed_events": [{"index": 0, "reason": "busy", "retriable": True}]}
    server.answers = [(503, {}), (429, {}), (200, later)]
    with serving(server):
        driver = SentEvents()
        driver.keep(events(0, 3))
        driver.close()
    assert server.taken == events(0, 3)


def test_an_event_that_the_server_refuses_is_told_and_holds_up_no_other(server: Server, capsys):
    server.answers = [
        (200, {"failed_events": [{"index": 0, "reason": "no job", "retriable": False}]})
    ]
    with serving(server):
        driver = SentEvents()
        driver.keep(events(0, 1))
        driver.close()
        driver.keep(events(1, 2))
        driver.close()
    assert server.taken == events(1, 2)
    assert "an event was refused: no job" in capsys.readouterr().err


def test_a_driver_fails_if_the_server_stays_away(server: Server):
    driver = SentEvents(patience=0.2)
    driver.close()
    driver.keep(events(0, 1))
    with pytest.raises(SystemExit, match=r"lineage of this program is incomplete.*was away"):
        driver.close()


def test_a_driver_fails_if_its_run_takes_no_more_reports(server: Server):
    server.answers = [(401, {})]
    with serving(server):
        driver = SentEvents()
        driver.keep(events(0, 1))
        with pytest.raises(SystemExit, match="the server answered 401"):
            driver.close()
    assert not server.taken


def test_without_lineagegraph_a_file_runs_and_its_task_is_marked(
    server: Server, monkeypatch, tmp_path, capsys
):
    monkeypatch.setitem(sys.modules, "lineagegraph.execution.kinds.sent_events", None)
    monkeypatch.setattr("sys.argv", [])
    monkeypatch.setattr("sys.path", ["", *sys.path])
    (tmp_path / "beside.py").write_text("VALUE = 'imported'")
    file = tmp_path / "job.py"
    file.write_text("import beside, sys\nprint(beside.VALUE, sys.argv, __name__)")
    with serving(server):
        main([str(file), "x"])
    assert f"imported ['{file}', 'x'] __main__" in capsys.readouterr().out
    (event,) = server.taken
    assert event["run"]["runId"] == "r"
    assert event["job"] == {"namespace": "shop", "name": 'a"$(b)'}
    (error,) = event["run"]["facets"]["extractionError"]["errors"]
    assert error["errorMessage"].startswith("lineagegraph cannot be imported in the driver")


def test_events_that_a_full_disk_does_not_take_are_sent_too_and_in_order(server: Server):
    driver = SentEvents()
    with files_of_at_most(20):
        driver.keep(events(0, 10))
    driver.keep(events(10, 12))
    with serving(server):
        driver.close()
    assert server.taken == events(0, 12)


def test_kept_events_that_a_full_disk_does_not_take_are_written_later(monkeypatch, tmp_path):
    file = tmp_path / "events.jsonl"
    for name, value in capture_variables(TASK, file).items():
        monkeypatch.setenv(name, value)
    driver, reported = KeptEvents(), list[dict[str, Any]]()
    with files_of_at_most(20):
        driver.keep(events(0, 10))
        with pytest.raises(SystemExit, match=r"is incomplete: .*events\.jsonl: .*free some space"):
            driver.close()
    driver.keep(events(10, 12))
    driver.close()
    report_kept(file, reported.extend)
    assert reported == events(0, 12)


def test_half_a_line_of_emitted_values_does_not_spoil_the_next(monkeypatch, tmp_path):
    file = tmp_path / "emit.jsonl"
    monkeypatch.setenv("LINEAGEGRAPH_EMIT", str(file))
    with files_of_at_most(20), pytest.raises(OSError, match="File too large"):
        emit(name="x" * 100)
    emit(rows=12)
    assert file.read_text() == '{"rows": 12}\n'
