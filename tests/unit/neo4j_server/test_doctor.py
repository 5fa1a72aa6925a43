"""What the doctor finds."""

import os
import socket
from pathlib import Path

import pytest

from lineagegraph.neo4j_server.doctor import Finding, check
from lineagegraph.neo4j_server.filelock import claimed
from lineagegraph.neo4j_server.folder import server_folder
from lineagegraph.neo4j_server.ports import choose
from lineagegraph.settings import Settings


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(home=tmp_path / "home", cache=tmp_path / "cache")


def found(settings: Settings) -> dict[str, Finding]:
    return {each.name: each for each in check(settings)}


def test_an_untouched_machine_is_examined_and_left_as_it_was(settings: Settings) -> None:
    findings = found(settings)
    assert set(findings) == {"Java", "Neo4j", "Disk (data)", "Disk (cache)", "Server", "Ports"}
    assert "start" in findings["Neo4j"].advice
    assert not settings.home.exists()
    assert not settings.cache.exists()


def test_whatever_is_not_right_has_advice(settings: Settings, tmp_path: Path) -> None:
    broken = settings.model_copy(update={"java_home": tmp_path})
    findings = check(broken)
    assert not found(broken)["Java"].ok
    assert all(each.advice for each in findings if not each.ok)


def test_a_port_taken_by_another_program_is_found(settings: Settings) -> None:
    folder = server_folder(settings)
    folder.create()
    ports = choose(folder.ports_file)
    with socket.socket() as other:
        other.bind(("127.0.0.1", ports.bolt))
        other.listen()
        finding = found(settings)["Ports"]
    assert not finding.ok
    assert str(ports.bolt) in finding.detail


def test_a_start_under_way_is_found(settings: Settings) -> None:
    folder = server_folder(settings)
    folder.create()
    folder.pid_file.write_text(str(os.getpid()))
    with claimed(folder.owner_lock):
        assert not found(settings)["Server"].ok
    assert found(settings)["Server"].ok
