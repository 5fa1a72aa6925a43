"""The runs of a job: their times, their comparison, trends, and reruns."""

from typing import Any

import msgspec

from lineagegraph.model.runs.rerun import RerunRequest
from lineagegraph.queries.analysis import Measure, Trend, read_trend_of
from lineagegraph.queries.jobs.emits import read_parameters
from lineagegraph.queries.runs.hierarchy import Branch, read_run_tree
from lineagegraph.queries.runs.runs import read_runs
from lineagegraph.queries.versions.run_diff import RunDiff, diff_runs_whole
from lineagegraph.reading.refresh import refresh_job_of
from lineagegraph.reruns.plan import plan_rerun
from lineagegraph.runs.queue import QueueRequest, queue_rerun, queue_run
from lineagegraph.store.jobs.hierarchy import RunTreeRow
from lineagegraph.store.runs.history import RunRow
from lineagegraph.views.job_facts import JobFactsView
from lineagegraph.views.muting import MutingView
from lineagegraph.views.starting import StartingView

NEWEST = 60
_LONGEST = 2000


class RunHistoryView(StartingView, MutingView, JobFactsView):
    """The newest runs of a job, two of them compared, and what is known about the job."""

    acts = frozenset({"plan", "rerun", "start"}) | MutingView.acts | JobFactsView.acts

    def answer_runs(self, job: str, namespace: str = "") -> list[dict[str, Any]]:
        """Return the newest runs, the oldest of them first."""
        found = read_runs(self._graph, job, namespace or None, limit=NEWEST)
        return [_run(row) | {"url": self._browser_link("run", row.id)} for row in reversed(found)]

    def answer_tree(self, run: str) -> list[dict[str, Any]]:
        """Return a run, how many of its descendants are left out, and these, parents first."""
        tree = read_run_tree(self._graph, run)
        top, *rest = _rows(tree, None)
        return [top | {"left_out": tree.left_out or 0}, *rest]

    def answer_diff(self, before: str, after: str) -> RunDiff:
        """Return the differences between two runs."""
        return diff_runs_whole(self._graph, self._settings, before, after)

    def answer_trend(self, job: str, measure: Measure, namespace: str = "") -> Trend:
        """Return a measure of the job's completed runs over time, with its change points."""
        found = self._find_job(job, namespace)
        return read_trend_of(self._graph, found, measure)

    def answer_plan(self, run: str, policy: str) -> dict[str, Any]:
        """Return the plan of a rerun, and the errors of its definition file."""
        faults = refresh_job_of(self._graph, self._settings, run)
        request = RerunRequest(run=run, policy=policy)
        plan = plan_rerun(self._graph, self._settings, request)
        return {"plan": plan, "faults": faults}

    def answer_rerun(self, run: str, policy: str) -> dict[str, Any]:
        """Start a rerun and return its id."""
        request = RerunRequest(run=run, policy=policy)
        started = queue_rerun(self._graph, self._settings, request, self.key)
        self.start(started.run)
        return {"run": started.run, "number": started.number}

    def answer_parameters(self, job: str, namespace: str = "") -> list[dict[str, Any]]:
        """Return the parameters of a pipeline's current version."""
        found = self._find_job(job, namespace)
        return [msgspec.structs.asdict(one) for one in read_parameters(self._graph, found.key)]

    def answer_start(self, job: str, params: dict[str, str], namespace: str = "") -> str:
        """Start a run of a pipeline and return its id."""
        found = self._find_job(job, namespace)
        request = QueueRequest(job_key=found.key, fqn=found.fqn, params=params, key=self.key)
        queued = queue_run(self._graph, request)
        self.start(queued.run_id)
        return queued.run_id


def _run(row: RunRow) -> dict[str, Any]:
    return {
        "id": row.id,
        "state": row.state,
        "began": row.started_at or row.created_at,
        "ended": row.ended_at,
        "is_begun": row.started_at is not None,
        "version": row.version,
        "why": row.fired_by,
        "said": _said(row),
    }


def _rows(branch: Branch[RunTreeRow], parent: str | None) -> list[dict[str, Any]]:
    row = branch.item
    own = {
        "id": row.id,
        "parent": parent,
        "name": row.short_label if parent else row.name,
        "kind": row.kind,
        "state": row.shown_state,
        "known": row.created_at,
        "began": row.shown_start,
        "ended": row.ended_at,
        "attempt": row.attempt,
        "said": _said(row),
    }
    return [own, *(one for child in branch.children for one in _rows(child, row.id))]


def _said(row: RunRow | RunTreeRow) -> str:
    words = ": ".join(filter(None, (row.reason, row.error or row.message)))
    return words[:_LONGEST]
