"""Work that is created only once something else is ready."""

from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, wait
from typing import Any

from lineagegraph.errors import RunKilled
from lineagegraph.execution.cancellation import Cancellation
from lineagegraph.execution.kinds.work import Work


class DeferredWork:
    """Creates the work, which may take long, and then runs it."""

    def __init__(self, make: Callable[[], Work]) -> None:
        self._make = make
        self._work: Work | None = None

    def run(self) -> None:
        """Create it and run it."""
        self._work = self._make()
        self._work.run()

    def stop(self, returned: Callable[[float], bool], grace: float) -> None:
        """Stop it; unfinished creation ends by the run's cancellation."""
        if self._work is None:
            returned(grace)
        else:
            self._work.stop(returned, grace)


def result_unless_cancelled(cancellation: Cancellation, future: "Future[Any]") -> Any:
    """Return a future's result; raise `RunKilled` if the run is cancelled before it is done."""
    either: list[Future[Any]] = [future, cancellation.future]
    wait(either, return_when=FIRST_COMPLETED)
    if not future.done():
        raise RunKilled("the run was cancelled")
    return future.result()
