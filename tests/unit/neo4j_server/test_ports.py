"""Ports: chosen once, remembered, chosen anew where one is taken."""

import socket
from pathlib import Path

from lineagegraph.neo4j_server.ports import choose, is_free, remembered


def test_ports_are_chosen_once_and_remembered(tmp_path: Path) -> None:
    file = tmp_path / "ports.json"
    first = choose(file)
    assert first.bolt != first.http
    assert choose(file) == first == remembered(file)


def test_a_port_that_another_program_took_is_chosen_anew(tmp_path: Path) -> None:
    file = tmp_path / "ports.json"
    first = choose(file)
    with socket.socket() as other:
        other.bind(("127.0.0.1", first.http))
        other.listen()
        assert not is_free(first.http)
        second = choose(file)
    assert first.http not in {second.http, second.bolt}
    assert remembered(file) == second


def test_a_damaged_memory_is_no_obstacle(tmp_path: Path) -> None:
    file = tmp_path / "ports.json"
    file.write_text('{"bolt": ')
    assert remembered(file) is None
    assert choose(file) == remembered(file)
