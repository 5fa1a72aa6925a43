"""Bad input is one line on standard error that says what is wrong, and exit 1 or 2."""

import json
import os
import signal
import socket
from pathlib import Path

import pytest

from lineagegraph.graph import Graph
from lineagegraph.neo4j_server import ServerAddress
from tests.acceptance.processes import Commands, shared
from tests.events import run_event

PIPELINE = """
import lineagegraph as lg

@lg.task
def count(month: int):
    lg.emit(month=month)

lg.pipeline("sales", tasks=[count], params={"month": int})
"""


@pytest.fixture
def commands(server: ServerAddress, graph: Graph, tmp_path: Path) -> Commands:
    return Commands(tmp_path, shared(server, tmp_path / "home"))


def refused(commands: Commands, *words: str, status: int = 1, **settings: str) -> str:
    done = commands(*words, **settings)
    assert done.returncode == status, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    lines = [line for line in done.stderr.splitlines() if line.startswith("error: ")]
    assert len(lines) == 1, done.stderr
    return lines[0]


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("import lineagegraph as lg\ndef (", "pipes.py:2"),
        ("import lineagegraph\nimport time\ntime.sleep(60)\n", "2 s"),
        ("import lineagegraph\nimport os\nos._exit(3)\n", "exit status 3"),
        ("import lineagegraph\nraise SystemExit(4)\n", "pipes.py:2"),
        ("import lineagegraph\n1 / 0\n", "pipes.py:2"),
        ("import lineagegraph\n", "pipeline"),
        (
            "import lineagegraph as lg\n"
            "a = lg.command('a', ['true'], after='b')\n"
            "b = lg.command('b', ['true'], after='a')\n"
            "lg.pipeline('p', tasks=[a, b])\n",
            "a -> b -> a",
        ),
    ],
)
def test_a_definition_that_cannot_be_read_is_named(
    commands: Commands, source: str, said: str
) -> None:
    (commands.folder / "pipes.py").write_text(source)
    assert said in refused(commands, "sync", "pipes.py", LINEAGEGRAPH_PARSE_SECONDS="2")


def test_a_broken_file_keeps_no_other_back(commands: Commands) -> None:
    (commands.folder / "good.py").write_text(PIPELINE)
    (commands.folder / "bad.py").write_text("import lineagegraph\n1 / 0\n")
    assert "bad.py:2" in refused(commands, "sync", ".")
    assert "sales" in commands("jobs").stdout


def test_an_unknown_job_is_answered_with_the_nearest(commands: Commands) -> None:
    (commands.folder / "pipes.py").write_text(PIPELINE)
    commands("sync", "pipes.py")
    assert "did you mean sales" in refused(commands, "run", "salse")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["-p", "month=x"], "expected int"),
        (["-p", "mont=1"], "unknown"),
        (["-p", "month"], "name=value"),
        ([], "missing"),
    ],
)
def test_a_wrong_parameter_is_refused_before_anything_runs(
    commands: Commands, given: list[str], said: str
) -> None:
    (commands.folder / "pipes.py").write_text(PIPELINE)
    commands("sync", "pipes.py")
    assert said in refused(commands, "run", "sales", *given)
    assert json.loads(commands("runs", "sales", "--json").stdout) == []


def test_a_run_in_place_runs_and_keeps_what_it_emitted(commands: Commands) -> None:
    (commands.folder / "pipes.py").write_text(PIPELINE)
    commands("sync", "pipes.py")
    done = commands("run", "sales", "-p", "month=3")
    assert done.returncode == 0, done.stderr
    (run,) = json.loads(commands("runs", "sales", "--json").stdout)
    shown = json.loads(commands("show", run["id"], "--json").stdout)
    assert shown["emitted"] == {"count": {"month": 3}}
    assert shown["params"] == {"month": 3}


def test_an_unknown_run_is_refused(commands: Commands) -> None:
    assert "no run" in refused(commands, "show", "0199")


def test_a_port_in_use_is_named(commands: Commands) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        assert f"port {port}" in refused(commands, "up", "--port", port)


def test_a_neo4j_that_does_not_answer_is_named(commands: Commands) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        uri = f"bolt://127.0.0.1:{free.getsockname()[1]}"
    assert uri in refused(commands, "jobs", LINEAGEGRAPH_NEO4J_URI=uri)


def test_a_wrong_password_is_said(commands: Commands) -> None:
    said = refused(commands, "jobs", LINEAGEGRAPH_NEO4J_PASSWORD="wrong-password")
    assert "LINEAGEGRAPH_NEO4J_PASSWORD" in said


def test_a_wrong_setting_is_named(commands: Commands) -> None:
    assert "setting port" in refused(commands, "jobs", LINEAGEGRAPH_PORT="abc")


def test_an_unknown_option_is_a_usage_error(commands: Commands) -> None:
    assert commands("jobs", "--nonsense").returncode == 2


def test_a_missing_java_without_a_network_is_said(commands: Commands, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    said = refused(
        commands,
        "neo4j",
        "start",
        LINEAGEGRAPH_JAVA_HOME=str(empty),
        LINEAGEGRAPH_HOME=str(tmp_path / "other"),
    )
    assert "Java" in said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "events.json"),
        ('{"eventTime": "2026-01-01T00:00:00Z"}', "$"),
        ('{"eventTime": "never", "run": {}, "job": {}}', "$."),
    ],
)
def test_a_file_that_holds_no_events_is_refused_whole(
    commands: Commands, graph: Graph, text: str, said: str
) -> None:
    path = commands.folder / "events.json"
    path.write_text(f"{json.dumps(run_event('a'))}\n{text}\n")
    assert said in refused(commands, "ingest", str(path))
    assert graph.query("MATCH (r:Run) RETURN count(r) AS n") == [{"n": 0}]


def test_a_second_interrupt_is_not_needed_to_end_a_run_in_place(commands: Commands) -> None:
    (commands.folder / "pipes.py").write_text(
        "import lineagegraph as lg\n"
        "lg.pipeline('slow', tasks=[lg.command('sleep', ['sleep', '60'])])\n"
    )
    commands("sync", "pipes.py")
    process = commands.start("run", "slow")
    assert process.stdout is not None
    while "RUNNING   slow.sleep" not in process.stdout.readline():
        assert process.poll() is None
    os.killpg(process.pid, signal.SIGINT)
    process.communicate(timeout=30)
    (run,) = json.loads(commands("runs", "slow", "--json").stdout)
    assert run["state"] == "KILLED"


@pytest.mark.parametrize("words", [("search", "caf\udce9"), ("run", "caf\udce9")])
def test_an_argument_that_is_not_utf8_is_refused(
    commands: Commands, words: tuple[str, ...]
) -> None:
    assert "write it in UTF-8" in refused(commands, *words)
