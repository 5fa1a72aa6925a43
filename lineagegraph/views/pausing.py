"""Views that pause all triggers, and resume them."""

from lineagegraph.graph import Transaction
from lineagegraph.liveness.daemons import nudge_daemons
from lineagegraph.store.triggers.pauses import PauseRow, get_pause
from lineagegraph.triggers.pause import pause_all, resume_all
from lineagegraph.views.view import View


class PausingView(View):
    """A view that shows the pause of all triggers."""

    acts = frozenset({"pause", "resume"})

    def answer_paused(self) -> PauseRow | None:
        """Return the pause of all triggers, if there is one."""
        return self._graph.read(read_pause)

    def answer_pause(self, reason: str, until: str = "") -> None:
        """Pause all triggers until a time, in the installation's zone if it states none."""
        end = self._read_time(until) if until else None
        self._graph.write(pause_all, reason, end, author=self.author)

    def answer_resume(self) -> None:
        """End the pause of all triggers."""
        self._graph.write(resume_all)
        nudge_daemons(self._graph)


def read_pause(tx: Transaction) -> PauseRow | None:
    """Return the pause of all triggers, None if it is over."""
    pause = get_pause(tx, now=None)
    return pause if pause and not pause.is_over else None
