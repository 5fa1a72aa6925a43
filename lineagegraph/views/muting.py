"""Views that mute the failures of a job for a while, and unmute them."""

from collections.abc import Callable
from typing import ClassVar

import msgspec

from lineagegraph.admin.mutes import describe_mute, mute_job, unmute_job
from lineagegraph.errors import NotFound
from lineagegraph.graph import Transaction
from lineagegraph.queries.runs.runs import read_run
from lineagegraph.store.admin.mutes import MuteRow, list_mutes_of
from lineagegraph.views.known import Known, only_known
from lineagegraph.views.view import View


class MutingView(View):
    """A view of a job, or of a run, that tells whether failures of the job are muted."""

    acts: ClassVar[frozenset[str]] = frozenset({"mute", "unmute"})

    def answer_muted(self, job: str = "", namespace: str = "", run: str = "") -> MuteRow | None:
        """Return the mute of a job, or of a run's job, that lasts the longest, if there is one."""
        key = self._key(job, namespace, run)
        return self._graph.read(_longest_of, key)

    def answer_mute(
        self,
        reason: str,
        until: str,
        job: str = "",
        namespace: str = "",
        run: str = "",
        known: Known = msgspec.UNSET,
    ) -> None:
        """Mute a job, or a run's job, until a time, in the installation's zone if it has none.

        `known` is the mute that the person saw, None without one: another is not replaced.
        """
        end, key = self._read_time(until), self._key(job, namespace, run)
        mute_job(self._graph, key, reason, end, author=self.author, check=_only(key, known))

    def answer_unmute(self, job: str, namespace: str, known: Known = msgspec.UNSET) -> None:
        """End the mute of a job; with `known` only this one."""
        found = self._find_job(job, namespace)
        unmute_job(self._graph, found.key, found.fqn, check=_only(found.key, known))

    def _key(self, job: str, namespace: str, run: str) -> str:
        if not run:
            return self._find_job(job, namespace).key
        key = read_run(self._graph, run).run.job_key
        if key is None:
            raise NotFound(f"run {run} has no job: nothing can be muted")
        return key


def _longest_of(tx: Transaction, key: str) -> MuteRow | None:
    found = list_mutes_of(tx, job_key=key, now=None)
    return found[0] if found else None


def _only(key: str, known: Known) -> Callable[[Transaction], None]:
    """Return a check that the mute which holds for a job is the one that a person knew."""
    return only_known(key, known, "the mute", _longest_of, _describe)


def _describe(mute: MuteRow) -> str:
    return f"it is {describe_mute(mute)}"
