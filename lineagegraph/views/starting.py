"""Views that start runs."""

from lineagegraph.views.view import View
from lineagegraph.worker.executors import execute_run


class StartingView(View):
    """A view that starts runs: by a daemon, a worker process, or as its owner states."""

    def start(self, run_id: str) -> None:
        """Have a queued run executed."""
        if self.execute is None:
            execute_run(self._graph, self._settings, run_id)
        else:
            self.execute(run_id)
