"""Backfills: start one, follow its progress, pause, resume and cancel it."""

import msgspec

from lineagegraph.backfills.change import cancel_backfill, pause_backfill, resume_backfill
from lineagegraph.backfills.start import StartedBackfill, preview_backfill, start_backfill
from lineagegraph.liveness.daemons import nudge_daemons
from lineagegraph.model.pipelines.definition import Parameter
from lineagegraph.model.runs.ids import derived_id
from lineagegraph.model.triggers.backfill import BackfillSpan
from lineagegraph.queries.jobs.emits import find_pipelines
from lineagegraph.queries.jobs.pages import Cut, Page
from lineagegraph.queries.triggers.backfills import (
    Backfill,
    page_backfills,
    page_partitions,
    read_backfill,
)
from lineagegraph.runs.queue import pipeline_of
from lineagegraph.store.triggers.backfills import PartitionRow
from lineagegraph.views.view import View

_NEWEST = 50
_MOST_PARTITIONS = 1000
_FOUND = 20
_OF_TIME = ("date", "datetime")


class BackfillForm(msgspec.Struct, frozen=True):
    """What is asked for a backfill of a pipeline.

    `time` is the parameter that takes days or times, None without one; `others` are the rest.
    """

    job: str
    namespace: str
    time: str | None
    others: list[Parameter]


class BackfillPlan(msgspec.Struct, frozen=True):
    """How many partitions a backfill would run, and how many it would leave out."""

    to_run: int
    left_out: int


class BackfillPartitions(msgspec.Struct, frozen=True):
    """A backfill with its first partitions."""

    backfill: Backfill
    partitions: tuple[PartitionRow, ...]
    total: int


class BackfillsView(View):
    """The backfills, and the form that starts one."""

    acts = frozenset({"preview", "start", "pause", "resume", "cancel"})

    def answer_backfills(self) -> Page[Backfill]:
        """Return the newest backfills, and the number of all."""
        return page_backfills(self._graph, None, Cut(_NEWEST))

    def answer_backfill(self, backfill_id: str) -> BackfillPartitions:
        """Return a backfill and its partitions in the order in which they run."""
        found = read_backfill(self._graph, backfill_id)
        page = page_partitions(self._graph, backfill_id, Cut(_MOST_PARTITIONS))
        return BackfillPartitions(found, tuple(page.items), page.total)

    def answer_pipelines(self, text: str) -> list[str]:
        """Return the names of pipelines, by a part of them."""
        return [one.name for one in find_pipelines(self._graph, text, _FOUND)]

    def answer_form(self, job: str, namespace: str = "") -> BackfillForm:
        """Return what is asked for a backfill of a pipeline."""
        found = self._find_job(job, namespace)
        pipeline = pipeline_of(self._graph, found.key, found.fqn)
        known = {one.name: one for one in pipeline.parameters}
        # Those of the partition first.
        names = dict.fromkeys([*pipeline.partition_by, *known])
        times = [name for name in names if known[name].type in _OF_TIME]
        return BackfillForm(
            found.name,
            found.namespace,
            times[0] if times else None,
            [known[name] for name in names if name not in times[:1]],
        )

    def answer_preview(self, job: str, namespace: str, span: BackfillSpan) -> BackfillPlan:
        """Return the partitions that a backfill would run; store nothing."""
        key = self._find_job(job, namespace).key
        plan = preview_backfill(self._graph, key, span)
        to_run = sum(one.will_run for one in plan)
        return BackfillPlan(to_run, len(plan) - to_run)

    def answer_start(
        self, job: str, namespace: str, span: BackfillSpan, concurrency: int = 1
    ) -> StartedBackfill:
        """Start a backfill; daemons run its partitions."""
        key = self._find_job(job, namespace).key
        id_ = derived_id(key, "backfill", self.key) if self.key else None
        started = start_backfill(self._graph, key, span, backfill_id=id_, concurrency=concurrency)
        nudge_daemons(self._graph)
        return started

    def answer_pause(self, backfill_id: str) -> None:
        """Start no more runs of a backfill; those in progress go on."""
        pause_backfill(self._graph, backfill_id)

    def answer_resume(self, backfill_id: str) -> None:
        """Go on with a backfill."""
        resume_backfill(self._graph, backfill_id)
        nudge_daemons(self._graph)

    def answer_cancel(self, backfill_id: str) -> None:
        """End a backfill: waiting partitions do not run."""
        cancel_backfill(self._graph, backfill_id)
        nudge_daemons(self._graph)
