"""Calls made several at once, of which slow ones hold up none of the others."""

import os
from collections.abc import Callable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Generic, TypeVar

T = TypeVar("T")


class Lanes(Generic[T]):
    """Makes calls in threads, as many at once as there are processors.

    `slow` has those, by name, that were waited for no longer.
    """

    def __init__(self) -> None:
        self.slow: dict[str, Future[T]] = {}
        self._pool = ThreadPoolExecutor(os.cpu_count())

    def call_all(
        self,
        calls: Mapping[str, Callable[[], T]],
        patience: float | None,
        progress: Callable[[int], None],
    ) -> list[T]:
        """Return what the calls return, in their order.

        Those that go on when none has ended for `patience` seconds are left to themselves.
        """
        waiting = self._submit(calls)
        returned: dict[str, T] = {}
        while waiting:
            ended, _ = wait(waiting, patience, FIRST_COMPLETED)
            for future in ended:
                returned[waiting.pop(future)] = future.result()
            progress(len(returned))
            if not ended:
                waiting = self._leave(waiting, calls)
        return [returned[name] for name in calls if name in returned]

    def take_ended(self) -> dict[str, T]:
        """Return what slow calls have returned meanwhile, each once."""
        ended = [name for name, future in self.slow.items() if future.done()]
        return {name: self.slow.pop(name).result() for name in ended}

    def close(self) -> None:
        """Begin no more calls."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _submit(self, calls: Mapping[str, Callable[[], T]]) -> dict[Future[T], str]:
        return {self._pool.submit(call): name for name, call in calls.items()}

    def _leave(
        self, waiting: Mapping[Future[T], str], calls: Mapping[str, Callable[[], T]]
    ) -> dict[Future[T], str]:
        """Give those that have not begun other threads than the slow ones hold."""
        queued = {name: calls[name] for future, name in waiting.items() if future.cancel()}
        self.slow |= {name: future for future, name in waiting.items() if name not in queued}
        self.close()
        self._pool = ThreadPoolExecutor(os.cpu_count())
        return self._submit(queued)
