"""The places of a run: how many of its tasks may run at once."""

from threading import Lock

from lineagegraph.execution.plan import Step


class RunPlaces:
    """Counts the tasks that run; callable from any thread.

    A task takes slots of a pool only with a place, so that no slots wait for a thread of the run.
    """

    def __init__(self) -> None:
        self.number = 0
        self._lock = Lock()
        self._taken: set[Step] = set()

    def try_take(self, step: Step) -> bool:
        """Take a place for a step, and return whether there was one."""
        with self._lock:
            if step not in self._taken and len(self._taken) >= self.number:
                return False
            self._taken.add(step)
            return True

    def take(self, step: Step) -> None:
        """Take a place for a step that starts anyway, maybe after others have ended."""
        with self._lock:
            self._taken.add(step)

    def give_back(self, step: Step) -> None:
        """Free the place of a step."""
        with self._lock:
            self._taken.discard(step)

    @property
    def is_full(self) -> bool:
        """Whether no place is free."""
        with self._lock:
            return len(self._taken) >= self.number
