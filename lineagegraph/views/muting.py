"""Views that mute the failures of a job for a while, and unmute them."""

from typing import ClassVar

from lineagegraph.admin.mutes import mute_job, unmute_job
from lineagegraph.errors import NotFound
from lineagegraph.queries.runs.runs import read_run
from lineagegraph.store.admin.mutes import MuteRow, list_mutes_of
from lineagegraph.views.view import View


class MutingView(View):
    """A view of a job, or of a run, that tells whether failures of the job are muted."""

    acts: ClassVar[frozenset[str]] = frozenset({"mute", "unmute"})

    def answer_muted(self, job: str = "", namespace: str = "", run: str = "") -> MuteRow | None:
        """Return the mute of a job, or of a run's job, that lasts the longest, if there is one."""
        key = self._key(job, namespace, run)
        found = self._graph.read(list_mutes_of, job_key=key, now=None)
        return found[0] if found else None

    def answer_mute(
        self, reason: str, until: str, job: str = "", namespace: str = "", run: str = ""
    ) -> None:
        """Mute a job, or a run's job, until a time, in the installation's zone if it has none."""
        end, key = self._read_time(until), self._key(job, namespace, run)
        mute_job(self._graph, key, reason, end, author=self.author)

    def answer_unmute(self, job: str, namespace: str) -> None:
        """End the mute of a job."""
        found = self._find_job(job, namespace)
        unmute_job(self._graph, found.key, found.fqn)

    def _key(self, job: str, namespace: str, run: str) -> str:
        if not run:
            return self._find_job(job, namespace).key
        key = read_run(self._graph, run).run.job_key
        if key is None:
            raise NotFound(f"run {run} has no job: nothing can be muted")
        return key
