"""Whether Neo4j answers now, asked beside a transaction that takes long."""

from collections.abc import Callable
from threading import Event, Lock, Thread

from lineagegraph.errors import LineagegraphError

_PATIENCE_SECONDS = 1.0


class Pulse:
    """Asks one question at a time: one that gets no answer is not asked again meanwhile."""

    def __init__(self, ask: Callable[[], None]) -> None:
        self._ask = ask
        self._lock = Lock()
        self._answered: Event | None = None

    def beats(self) -> bool:
        """Return whether an answer comes within a second."""
        with self._lock:
            answered = self._answered
            if answered is None:
                answered = self._answered = Event()
                # It must not keep the process when that ends.
                Thread(target=self._wait, args=(answered,), daemon=True).start()
        return answered.wait(_PATIENCE_SECONDS)

    def _wait(self, answered: Event) -> None:
        try:
            self._ask()
            answered.set()
        except LineagegraphError:
            pass
        finally:
            self._answered = None
