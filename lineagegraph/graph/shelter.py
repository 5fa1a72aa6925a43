"""Calls that no interrupt reaches.

Python raises an interrupt wherever its main thread is at that moment, and what a handler of the
program raises, such as one of an alarm. Within the driver that leaves half of an answer on a
connection, which is then given to the next question.
"""

import signal
from collections.abc import Callable
from concurrent.futures import Future, wait
from contextvars import copy_context
from threading import Thread, current_thread, main_thread
from typing import TypeVar

T = TypeVar("T")
_SIGNALS = sorted(signal.valid_signals())


class Abandoned(Exception):
    """Raised within a call whose caller was interrupted."""


class Shelter:
    """Makes one call, in another thread if this one can be interrupted."""

    def __init__(self) -> None:
        self._is_abandoned = False

    def call(self, work: Callable[[], T], patience: float = 0.0) -> T:
        """Return the result of `work`; after an interrupt it has `patience` seconds to end."""
        if not _can_be_interrupted():
            return work()
        made = Future[T]()
        thread = Thread(target=copy_context().run, args=(_make, made, work), daemon=True)
        try:
            thread.start()
        except RuntimeError:
            # There are no more threads, or Python ends.
            return work()
        try:
            return made.result()
        except BaseException as error:
            if made.done() and made.exception() is error:
                raise
            self._is_abandoned = True
            wait([made], patience)
            raise

    def check(self) -> None:
        """Raise `Abandoned` after an interrupt of the caller."""
        if self._is_abandoned:
            raise Abandoned


def _make(made: Future[T], work: Callable[[], T]) -> None:
    try:
        made.set_result(work())
    except BaseException as error:
        made.set_exception(error)


def _can_be_interrupted() -> bool:
    return current_thread() is main_thread() and any(map(_is_python, _SIGNALS))


def _is_python(number: int) -> bool:
    # Python handles signals in its main thread alone, and any handler may raise.
    return callable(signal.getsignal(number))
