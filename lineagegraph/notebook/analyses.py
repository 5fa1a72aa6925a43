"""Questions about all of the graph, each answered with a result."""

from datetime import date, datetime

from lineagegraph.errors import NotFound
from lineagegraph.graph import Graph
from lineagegraph.notebook.results import Result
from lineagegraph.queries import analysis
from lineagegraph.queries.analysis.blast_radius import AffectedNode
from lineagegraph.queries.analysis.days_compared import JobDays
from lineagegraph.queries.analysis.trends import TrendPoint
from lineagegraph.queries.datasets.last_statements import StatedFilter
from lineagegraph.queries.find.find import find_node_or_column
from lineagegraph.queries.freshness.stale_causes import CauseStep
from lineagegraph.queries.lineage.collapse import Level
from lineagegraph.queries.lineage.impact import AffectedColumn, find_impact
from lineagegraph.settings import Settings
from lineagegraph.store.lineage.lineage import UnusedDerivation
from lineagegraph.text import format_age

_LEG = ("job", "state", "began", "by", "waited", "queued", "worked")


class Analyses:
    """Analyses of the whole graph, as methods of a session."""

    _graph: Graph
    _settings: Settings

    def impact(self, node: str, *, latest: bool = False, since: datetime | None = None) -> Result:
        """Return everything downstream of a column (`DATASET#COLUMN`), a dataset or a job.

        `latest` and `since` choose column lineage: of the newest runs, or reported since a time.
        """
        if find_node_or_column(self._graph, node).column is not None:
            affected = find_impact(self._graph, node, StatedFilter(latest, since))
            return _columns(affected.columns, _more(affected.cut))
        if latest or since:
            raise NotFound(f"{node!r} is no column: latest and since need DATASET#COLUMN")
        found = analysis.read_blast_radius(self._graph, node)
        return Result.listing(found.hits, AffectedNode, note=_more(found.cut))

    def cause(self, node: str) -> Result:
        """Return the way upstream to why a job, dataset or run is stale or failed."""
        found = analysis.find_root_cause(self._graph, self._settings.zone, node)
        note = "" if found.path else "nothing upstream is stale or failed"
        if failure := found.failure:
            note = f"{failure.job} {failure.state}: {failure.said or 'no message'}"
        shown = ("node", "state", "run_state", "run_at", "message")
        return Result.listing(found.path, CauseStep, shown, note=note)

    def critical_path(self, day: date | str | None = None, to: str | None = None) -> Result:
        """Return the work and waits that a day's last end hung on; without a day, today's.

        `to` is a job or a dataset: the path leads to its last run of the day, or its last write.
        """
        found = analysis.read_critical_path(self._graph, day, self._settings.zone, to)
        note = f"{format_age(found.worked)} of work, {format_age(found.waited)} of waits"
        return Result.listing(found.legs, analysis.Leg, _LEG, note=note)

    def waits(self, day: date | str | None = None, limit: int = 20) -> Result:
        """Return the work of a day that waited longest for its turn."""
        found = analysis.read_waits(self._graph, day, self._settings.zone, limit)
        return Result.listing(found, analysis.Leg, _LEG)

    def days(self, before: date | str, after: date | str | None = None) -> Result:
        """Return how two days were different, by job; the second is today if there is none."""
        found = analysis.compare_days(self._graph, before, after, self._settings.zone)
        shown = [name for name in JobDays.__struct_fields__ if not name.startswith("version")]
        return Result.listing(found.jobs, JobDays, shown)

    def trend(self, job: str, measure: analysis.Measure = "seconds", limit: int = 100) -> Result:
        """Return a job's completed runs with the usual values and outliers; change points below.

        The tab *Trend* of `history(job)` draws them.
        """
        found = analysis.read_trend(self._graph, job, measure, limit)
        return Result.listing(found.points, TrendPoint, note=_changes(found.changes))

    def trends(self, measure: analysis.Measure = "seconds", limit: int = 100) -> Result:
        """Return the usual values of each job and their start, the largest growth first."""
        found = analysis.read_trends(self._graph, measure, limit)
        return Result.listing(found, analysis.TrendSummary)

    def weak_points(self, level: Level = "task", limit: int = 20) -> Result:
        """Return single points of failure: nodes that most downstream nodes need."""
        found = analysis.find_weak_points(self._graph, level, limit)
        return Result.listing(found, analysis.WeakPoint)

    def orphans(self, days: float = 30) -> Result:
        """Return datasets without a reader, without a writer, or unused for some days."""
        return Result.listing(analysis.find_orphans(self._graph, days), analysis.Orphan)

    def unused_columns(self, days: float = 30) -> Result:
        """Return columns and their sources that no event has reported for some days."""
        found = analysis.find_unused_columns(self._graph, days)
        return Result.listing(found, UnusedDerivation)

    def cycles(self, level: Level = "task") -> Result:
        """Return circles of data."""
        return Result.listing(analysis.find_cycles(self._graph, level), analysis.Cycle)

    def parent_cycles(self) -> Result:
        """Return cycles of parents: runs that are each the parent of the next."""
        rows = [
            (" ← ".join(f"{run.namespace}:{run.job}" for run in one.runs), [r.id for r in one.runs])
            for one in analysis.find_parent_cycles(self._graph)
        ]
        return Result(("cycle", "runs"), rows)

    def owners(self) -> Result:
        """Return jobs and datasets by owner, those without an owner first."""
        return Result.listing(analysis.list_owners(self._graph), analysis.Owned)


def _changes(changes: tuple[analysis.ChangePoint, ...]) -> str:
    said = (
        f"changed {one.at:%Y-%m-%d %H:%M} UTC from {one.before:g} to {one.after:g}"
        + (f" with version {one.version[:12]}" if one.version else "")
        for one in changes
    )
    return "; ".join(said)


def _more(cut: bool) -> str:
    return "more exist: only the nearest are shown" if cut else ""


def _columns(found: tuple[AffectedColumn, ...], note: str) -> Result:
    rows = [
        (
            f"{one.dataset.namespace}:{one.dataset.name}",
            one.column.name,
            one.distance,
            one.direct,
            tuple(job.name for job in one.path),
        )
        for one in found
    ]
    return Result(("dataset", "column", "distance", "direct", "jobs"), rows, note=note)
