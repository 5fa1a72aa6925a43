"""Threads for blocking calls. One that hangs is abandoned and blocks no other."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from math import inf
from threading import Lock, Thread, local
from time import monotonic
from typing import Any, NamedTuple

from lineagegraph.errors import PokeFailed, PokeOverdue

_POLL_SECONDS = 0.05
_calls = local()


def is_abandoned() -> bool:
    """Return whether the caller of this thread's function has gone: then it should return soon."""
    answer: asyncio.Future[Any] | None = getattr(_calls, "answer", None)
    return answer is not None and answer.cancelled()


class _Running(NamedTuple):
    since: float
    until: float


class Threads:
    """Calls functions in threads, at most so many, those that hang included.

    They are daemon threads: a process ends whether or not they do.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = Lock()
        self._running: dict[object, _Running] = {}

    @property
    def running(self) -> int:
        """How many there are."""
        return len(self._running)

    async def call(
        self, key: str | None, function: Callable[..., Any], *args: Any, limit: float = inf
    ) -> Any:
        """Return the result of a function; calls with the same key run one at a time.

        A cancelled call abandons its thread: it continues until the function returns. The next one
        with its key waits for it, or raises `PokeOverdue` once it has run for its limit in seconds.
        """
        while (held := self._enter(key, limit)) is None:
            await asyncio.sleep(_POLL_SECONDS)
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Any] = loop.create_future()

        def work() -> None:
            _calls.answer = answer
            try:
                result, error = function(*args), None
            except BaseException as raised:
                result, error = None, raised
            with self._lock:
                del self._running[held]
            with suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(_settle, answer, result, error)

        Thread(target=work, name="look", daemon=True).start()
        return await answer

    def _enter(self, key: str | None, limit: float) -> object | None:
        """Return the key of a new thread, None while there is one with the key."""
        held = object() if key is None else key
        now = monotonic()
        with self._lock:
            if running := self._running.get(held):
                if now <= running.until:
                    return None
                since = now - running.since
                raise PokeOverdue(f"the previous poke has not returned for {since:.0f} s")
            self._check_share(key)
            if len(self._running) >= self._most:
                raise PokeFailed(
                    f"all {self._most} threads hang: repair the targets of their pokes, then "
                    "restart the process"
                )
            self._running[held] = _Running(now, now + limit)
        return held

    def _check_share(self, key: str | None) -> None:
        """Refuse more than half of the threads to keys that begin with the same word, a kind."""
        if key is None:
            return
        kind = key.partition(" ")[0]
        others = (held.partition(" ")[0] for held in self._running if isinstance(held, str))
        if sum(other == kind for other in others) * 2 >= self._most:
            raise PokeFailed(
                f"half of all {self._most} threads poke sensors of kind {kind} and hang: repair "
                "the targets of their pokes, then restart the process"
            )


def _settle(answer: asyncio.Future[Any], result: Any, error: BaseException | None) -> None:
    if answer.done():
        return
    if error is None:
        answer.set_result(result)
    else:
        answer.set_exception(_raisable(error))


def _raisable(error: BaseException) -> BaseException:
    """A future takes no StopIteration, and the end of a program is none of the loop's."""
    if isinstance(error, Exception) and not isinstance(error, StopIteration):
        return error
    return PokeFailed(f"{type(error).__name__}: {error}")
