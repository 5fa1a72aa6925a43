"""Receivers that go on answering, and never end their answer."""

import socket
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from threading import Event, Thread

import pytest

from lineagegraph.errors import NotDelivered
from lineagegraph.outbox.notifications.channels.mail import MailChannel
from lineagegraph.outbox.notifications.channels.webhook import WebhookChannel
from lineagegraph.outbox.notifications.message import trial_message
from lineagegraph.outbox.timed_send import TimedSend

MESSAGE = trial_message(datetime(2026, 3, 2, tzinfo=UTC), "1")


@pytest.fixture
def gone() -> Iterator[Event]:
    found = Event()
    yield found
    found.set()


@pytest.fixture
def port(gone: Event) -> Iterator[int]:
    """A server that answers a byte at a time, until it is gone."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            connection, _ = server.accept()
            with connection:
                while not gone.wait(0.05):
                    connection.sendall(b"2")

        Thread(target=serve, daemon=True).start()
        yield server.getsockname()[1]
        gone.set()


@pytest.mark.parametrize("kind", ["webhook", "mail"])
def test_a_receiver_that_answers_a_byte_at_a_time_is_given_up(
    kind: str, port: int, gone: Event
) -> None:
    if kind == "webhook":
        send = WebhookChannel(f"http://127.0.0.1:{port}/", None, seconds=1).send
    else:
        send = MailChannel(f"mailto:a@b.org?smtp=127.0.0.1:{port}", seconds=1).send
    channel = TimedSend(send, seconds=2)
    began = time.monotonic()
    with pytest.raises(NotDelivered, match="did not end its answer within 2 s"):
        channel.send(MESSAGE)
    with pytest.raises(NotDelivered, match="an earlier attempt still goes on"):
        channel.send(MESSAGE)
    assert time.monotonic() - began < 10
    gone.set()
    deadline = time.monotonic() + 10
    said = "still goes on"
    while "still goes on" in said and time.monotonic() < deadline:
        time.sleep(0.05)
        with pytest.raises(Exception) as refused:
            channel.send(MESSAGE)
        said = str(refused.value)
    assert "still goes on" not in said


def test_what_was_sent_after_all_is_not_sent_again() -> None:
    sent: list[str] = []

    def send(what: str) -> None:
        time.sleep(0.4)
        sent.append(what)

    channel = TimedSend(send, seconds=0.1)
    with pytest.raises(NotDelivered):
        channel.send("one")
    time.sleep(1)
    channel.send("one")
    assert sent == ["one"]
    with pytest.raises(NotDelivered):
        channel.send("one")
