"""A follower that takes nothing is let go."""

import asyncio
from collections.abc import AsyncGenerator

import pytest
from starlette.types import Message

from lineagegraph.http.run_states import stream
from lineagegraph.http.run_states.stream import EventStream


def test_a_client_that_takes_nothing_is_let_go_and_its_stream_closed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(stream, "_PATIENCE_SECONDS", 0.01)
    closed = []

    async def body() -> AsyncGenerator[bytes]:
        try:
            while True:
                yield b"data: {}\n\n"
        finally:
            closed.append(True)

    async def send(message: Message) -> None:
        if message["type"] == "http.response.body":
            await asyncio.Event().wait()

    asyncio.run(EventStream(body()).stream_response(send))
    assert closed == [True]
