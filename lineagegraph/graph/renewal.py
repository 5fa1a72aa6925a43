"""A thread that renews a lock while its holder works."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from threading import Event, Thread

from lineagegraph.errors import GraphError


@contextmanager
def renewing(renew: Callable[[], object], term: timedelta) -> Iterator[None]:
    """Renew a lock several times within its term until the end of the block."""
    done = Event()
    keeper = Thread(target=_keep, args=(renew, term, done), daemon=True)
    keeper.start()
    try:
        yield
    finally:
        done.set()
        keeper.join()


def _keep(renew: Callable[[], object], term: timedelta, done: Event) -> None:
    while not done.wait(term.total_seconds() / 4):
        try:
            renew()
        except GraphError:
            # The holder meets the same fault, or the next attempt is in time.
            continue
