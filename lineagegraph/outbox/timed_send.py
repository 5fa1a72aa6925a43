"""A limit for the time that one send takes, whatever its receiver does."""

from collections.abc import Callable
from concurrent.futures import Future
from threading import Thread
from typing import Generic, TypeVar

from lineagegraph.errors import NotDelivered

# With half of a lease for those before it, a send ends before another process sends as well.
SECONDS = 60.0
S = TypeVar("S")


class TimedSend(Generic[S]):
    """A channel or transport that gives a send up after a time.

    Time limits of sockets hold for one read: a receiver that answers a byte at a time meets them
    all, and holds its sender for ever.
    """

    def __init__(self, send: Callable[[S], None], seconds: float = SECONDS) -> None:
        self._send = send
        self._seconds = seconds
        #: the attempt that was given up
        self._left: tuple[S, Future[None]] | None = None

    def send(self, what: S) -> None:
        """Send; raise `NotDelivered` if it takes too long, or while one given up still goes on.

        What an attempt that was given up has sent after all is not sent again.
        """
        if self._left and not self._left[1].done():
            raise NotDelivered("an earlier attempt still goes on: the receiver does not end it")
        left, self._left = self._left, None
        if left and left[0] == what and left[1].exception() is None:
            return
        outcome: Future[None] = Future()
        sending = Thread(target=_run, args=(self._send, what, outcome), daemon=True)
        sending.start()
        sending.join(self._seconds)
        if not outcome.done():
            self._left = what, outcome
            raise NotDelivered(f"the receiver did not end its answer within {self._seconds:g} s")
        outcome.result()


def _run(send: Callable[[S], None], what: S, outcome: Future[None]) -> None:
    try:
        send(what)
    except BaseException as error:
        outcome.set_exception(error)
    else:
        outcome.set_result(None)
