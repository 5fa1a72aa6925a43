"""A worker publishes tables only while its run is its own."""

from tenacity import Retrying, retry_if_exception_type, stop_after_delay, wait_fixed

from lineagegraph.errors import GraphBusy, GraphUnreachable, RunError
from lineagegraph.graph import Graph
from lineagegraph.store import launches

_PATIENCE = 600.0
_PAUSE = 1.0


class PublishGuard:
    """Asks the graph, and waits for it while it is away: nobody can take a run over meanwhile."""

    def __init__(self, graph: Graph, run_id: str, fence: int) -> None:
        self._graph = graph
        self._run_id = run_id
        self._fence = fence

    def __call__(self) -> None:
        """Raise `RunError` where the run is no longer this worker's."""
        if not self._waiting(
            self._graph.write, launches.claim_fence, id=self._run_id, fence=self._fence
        ):
            raise RunError(f"run {self._run_id} is another worker's now: nothing was published")

    _waiting = Retrying(
        retry=retry_if_exception_type((GraphUnreachable, GraphBusy)),
        wait=wait_fixed(_PAUSE),
        stop=stop_after_delay(_PATIENCE),
        reraise=True,
    )
