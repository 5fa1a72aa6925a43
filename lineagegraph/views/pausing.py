"""Views that pause all triggers, and resume them."""

import msgspec

from lineagegraph.graph import Transaction
from lineagegraph.liveness.daemons import nudge_daemons
from lineagegraph.store.triggers.pauses import PauseRow, claim_pause, get_pause
from lineagegraph.triggers.pause import describe_pause, pause_all, resume_all
from lineagegraph.views.known import Known, refuse_other
from lineagegraph.views.view import View


class PausingView(View):
    """A view that shows the pause of all triggers."""

    acts = frozenset({"pause", "resume"})

    def answer_paused(self) -> PauseRow | None:
        """Return the pause of all triggers, if there is one."""
        return self._graph.read(read_pause)

    def answer_pause(self, reason: str, until: str = "", known: Known = msgspec.UNSET) -> None:
        """Pause all triggers until a time, in the installation's zone if it states none.

        `known` is the pause that the person saw, None without one: another is not replaced.
        """
        end = self._read_time(until) if until else None

        def work(tx: Transaction) -> None:
            _refuse_other(tx, known)
            pause_all(tx, reason, end, author=self.author)

        self._graph.write(work)

    def answer_resume(self, known: Known = msgspec.UNSET) -> None:
        """End the pause of all triggers; with `known` only this one."""

        def work(tx: Transaction) -> None:
            _refuse_other(tx, known)
            resume_all(tx)

        self._graph.write(work)
        nudge_daemons(self._graph)


def read_pause(tx: Transaction) -> PauseRow | None:
    """Return the pause of all triggers, None if it is over."""
    pause = get_pause(tx, now=None)
    return pause if pause and not pause.is_over else None


def _refuse_other(tx: Transaction, known: Known) -> None:
    # Other changes of the pause wait for this one, and then find it.
    claim_pause(tx)
    pause = read_pause(tx)
    text = f"they are: {describe_pause(pause)}" if pause else "they are no longer paused"
    refuse_other(known, pause, "the pause of all triggers", text)
