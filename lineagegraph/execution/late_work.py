"""Work that is known only once something else is ready."""

from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, wait
from typing import Any

from lineagegraph.errors import RunKilled
from lineagegraph.execution.cancellation import Cancellation
from lineagegraph.execution.work import Work


class DeferredWork:
    """Makes the work, which may take long, and then does it."""

    def __init__(self, make: Callable[[], Work]) -> None:
        self._make = make
        self._work: Work | None = None

    def run(self) -> None:
        """Make it and do it."""
        self._work = self._make()
        self._work.run()

    def stop(self, returned: Callable[[float], bool], grace: float) -> None:
        """Stop it; what is not made yet ends with what it waits for."""
        if self._work is None:
            returned(grace)
        else:
            self._work.stop(returned, grace)


def result_unless_cancelled(cancellation: Cancellation, future: "Future[Any]") -> Any:
    """Return a future's result; raise `RunKilled` where the run is to stop before it is there."""
    either: list[Future[Any]] = [future, cancellation.future]
    wait(either, return_when=FIRST_COMPLETED)
    if not future.done():
        raise RunKilled("the run was cancelled")
    return future.result()
