"""Advisories about locked packages: asked of a database that is a real server here."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from tools.advisories import ROOT, read_accepted

FAULT = {
    "id": "PYSEC-2026-1",
    "summary": "It leaks.",
    "affected": [
        {
            "package": {"name": "leaky", "ecosystem": "PyPI"},
            "ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "2.0"}]}],
        }
    ],
}


class Database(BaseHTTPRequestHandler):
    """Knows one advisory."""

    def do_POST(self) -> None:
        query = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        found = {"vulns": [FAULT]} if query["package"]["name"] == "leaky" else {}
        body = json.dumps(found).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Print nothing."""


@pytest.fixture
def database() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Database)
    Thread(target=server.serve_forever, daemon=True).start()
    yield "http://{}:{}/v1/query".format(*server.server_address)
    server.shutdown()
    server.server_close()


def ask(folder: Path, database: str, accepted: str = "") -> "subprocess.CompletedProcess[str]":
    (folder / "pyproject.toml").write_text(f"[tool.advisories]\n{accepted}")
    hashed = f"--hash=sha256:{'0' * 64}"
    (folder / "requirements.lock").write_text(f"leaky==1.0 {hashed}\nsound==1.0 {hashed}\n")
    return subprocess.run(
        [sys.executable, "-m", "tools.advisories", str(folder)],
        cwd=ROOT,
        env=os.environ | {"ADVISORY_DATABASE": database},
        capture_output=True,
        text=True,
        check=False,
    )


def test_an_advisory_fails_the_check_unless_it_is_accepted_with_a_reason(
    database: str, tmp_path: Path
) -> None:
    found = ask(tmp_path, database)
    assert found.returncode == 1, found.stderr
    assert "PYSEC-2026-1" in found.stdout
    accepted = ask(tmp_path, database, 'PYSEC-2026-1 = "its leaky function is not called"')
    assert accepted.returncode == 0, accepted.stderr
    refused = ask(tmp_path, database, 'PYSEC-2026-1 = " "')
    assert refused.returncode != 0
    assert "state why it is accepted" in refused.stderr


def test_without_a_database_the_check_is_skipped_within_seconds(
    silent: str, tmp_path: Path
) -> None:
    for database in ("http://127.0.0.1:9/", silent):
        began = time.monotonic()
        skipped = ask(tmp_path, database)
        assert (skipped.returncode, skipped.stdout) == (0, "skipped\n")
        assert time.monotonic() - began < 5


def test_the_accepted_advisories_of_the_project_have_reasons() -> None:
    read_accepted((ROOT / "pyproject.toml").read_text("utf-8"))
