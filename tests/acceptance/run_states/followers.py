"""Clients of the stream, each with a thread that reads."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Any

import httpx2 as httpx


class Follower:
    """What one client was sent: changes, and the id to come back with."""

    def __init__(self) -> None:
        self.changes: list[dict[str, Any]] = []
        self.others: list[str] = []
        self.last_id: str | None = None
        self.has_ended = False

    @property
    def ids(self) -> list[int]:
        return [change["id"] for change in self.changes]

    @property
    def states(self) -> list[str]:
        return [change["state"] for change in self.changes]

    def read(self, lines: Iterator[str]) -> None:
        fields: dict[str, str] = {}
        for line in lines:
            if line:
                name, _, value = line.partition(": ")
                fields[name] = value
                continue
            self.last_id = fields.get("id", self.last_id)
            if "event" in fields:
                self.others.append(fields["event"])
            elif "data" in fields:
                self.changes.append(json.loads(fields["data"]))
            fields = {}
        self.has_ended = True


@contextmanager
def following(
    url: str, query: str = "", last_id: str | None = None, token: str | None = None
) -> Iterator[Follower]:
    """Follow the stream while this is open; a client that is let go leaves at once."""
    headers = {"Accept": "text/event-stream"} | ({"Last-Event-ID": last_id} if last_id else {})
    headers |= {"Authorization": f"Bearer {token}"} if token else {}
    found = Follower()
    with (
        httpx.Client(timeout=60) as client,
        client.stream("GET", f"{url}/api/v1/run-states{query}", headers=headers) as answer,
    ):
        assert answer.status_code == 200, answer.read()

        def read() -> None:
            try:
                found.read(answer.iter_lines())
            except httpx.HTTPError:
                found.has_ended = True

        reader = Thread(target=read, daemon=True)
        reader.start()
        yield found
        answer.close()
