"""Servers and daemons that are killed at random and started again, and producers that retry."""

import os
import random
import signal
import socket
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Event, Thread
from typing import Any, NoReturn

import httpx2 as httpx

from lineagegraph import cli
from tests.command_line import FORKS

SIZES = (1, 3, 20)


def be_command(environment: Mapping[str, str], folder: Path, words: Sequence[str]) -> NoReturn:
    """Be the process of a command."""
    log = os.open(folder / f"{words[2]}.log", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    for number in (1, 2):
        os.dup2(log, number)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    sys.argv = ["lineagegraph", *words]
    cli.main()


class Mortal:
    """Processes of one command, one after the other; each is killed after a random time."""

    words = ("up", "--only", "daemon")
    most_seconds = 6.0

    def __init__(
        self, environment: Mapping[str, str], folder: Path, deaths: int, seed: int = 5
    ) -> None:
        self._arguments = (environment, folder)
        self.deaths = deaths
        self._random = random.Random(seed)
        self._is_over = Event()
        self._thread = Thread(target=self._run, name="mortal")

    def __enter__(self) -> "Mortal":
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._is_over.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._is_over.is_set():
            process = FORKS.Process(target=be_command, args=(*self._arguments, self.words))
            process.start()
            self._await_ready()
            lives = self._random.uniform(0.1, self.most_seconds) if self.deaths > 0 else None
            self._is_over.wait(lives)
            process.kill()
            process.join()
            assert process.exitcode == -signal.SIGKILL
            self.deaths -= 1

    def _await_ready(self) -> None:
        """Wait until it does what it is for."""


class MortalServer(Mortal):
    """Servers on one port and home."""

    most_seconds = 1.5

    def __init__(
        self, environment: Mapping[str, str], folder: Path, deaths: int, seed: int = 5
    ) -> None:
        super().__init__(environment, folder, deaths, seed)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        self.words = ("up", "--only", "http", "--port", str(port))

    def _await_ready(self) -> None:
        while not self._is_over.is_set():
            try:
                if httpx.get(f"{self.url}/ready", timeout=5).status_code == 200:
                    return
            except httpx.TransportError:
                pass
            time.sleep(0.05)


def post_events(url: str, events: Sequence[Mapping[str, Any]], answers: list[int]) -> None:
    """Post events alone and in batches, each until the server has taken it, as producers do."""
    chosen = random.Random(len(events))
    left = list(events)
    with httpx.Client(timeout=30) as client:
        while left:
            size = chosen.choice(SIZES)
            batch, left = left[:size], left[size:]
            while not _is_taken(client, url, batch, answers):
                time.sleep(0.1)


def _is_taken(
    client: httpx.Client, url: str, batch: Sequence[Mapping[str, Any]], answers: list[int]
) -> bool:
    path, body = ("/batch", batch) if len(batch) > 1 else ("", batch[0])
    try:
        answer = client.post(f"{url}/api/v1/lineage{path}", json=body)
    except httpx.TransportError:
        answers.append(0)
        return False
    answers.append(answer.status_code)
    assert answer.status_code in (200, 201, 503), answer.text
    if answer.status_code == 200:
        assert answer.json()["status"] == "success", answer.text
    return answer.status_code != 503
