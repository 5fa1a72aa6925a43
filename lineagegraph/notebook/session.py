"""The session of a notebook: one connection and its queries."""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, Self

import msgspec

from lineagegraph.errors import LineagegraphError, QueryRefused
from lineagegraph.graph import Graph, QueryAnswer
from lineagegraph.graph.statements import list_readable, statement, summary
from lineagegraph.notebook.analyses import Analyses
from lineagegraph.notebook.asking import ask_and_wait
from lineagegraph.notebook.completion.names import Names
from lineagegraph.notebook.parameters import require_all
from lineagegraph.notebook.progress import QueryProgress
from lineagegraph.notebook.results import Result
from lineagegraph.notebook.results.flows import list_flows
from lineagegraph.notebook.results.runs import RunSummary, known_run
from lineagegraph.notebook.results.trees import list_conditions, list_jobs, note_rest
from lineagegraph.notebook.widgets import (
    Explorer,
    FreshnessBoard,
    LiveRun,
    RunHistory,
    TriggerPanel,
)
from lineagegraph.queries.analysis import read_runs_of_day
from lineagegraph.queries.find.find import find_job
from lineagegraph.queries.jobs.emits import read_emits
from lineagegraph.queries.jobs.pages import Cut
from lineagegraph.queries.lineage.collapse import Level
from lineagegraph.queries.lineage.lineage import LineageScope, walk_lineage
from lineagegraph.queries.runs.hierarchy import Branch, list_roots, read_job_tree
from lineagegraph.queries.runs.runs import find_run_of, read_run, read_runs
from lineagegraph.queries.triggers.triggers import page_triggers
from lineagegraph.queries.triggers.why import read_why
from lineagegraph.settings import Settings
from lineagegraph.store.admin.databases import get_database
from lineagegraph.store.pipelines.versions import EmitRow
from lineagegraph.store.runs.history import RunRow
from lineagegraph.store.triggers.catalog import TriggerRow
from lineagegraph.text import format_count


class Session(Analyses):
    """A connection to the graph for exploring; only a query with `write` writes."""

    def __init__(self, graph: Graph, settings: Settings) -> None:
        self._graph = graph
        self._settings = settings
        self.names = Names(graph)

    def cypher(
        self,
        text: str,
        parameters: Mapping[str, Any] | None = None,
        /,
        *,
        write: bool = False,
        limit: int | None = None,
        **named: Any,
    ) -> Result:
        """Return the result of a query; the server refuses one that writes, unless `write`.

        `limit` is the number of rows to fetch. On an interrupt the server ends the query.
        """
        answer = self._answer(text, {**(parameters or {}), **named}, write=write, limit=limit)
        return Result.of(answer, "cut off by the limit" if answer.is_cut else "")

    def query(self, name: str, /, **parameters: Any) -> Result:
        """Return the result of an included query; all its parameters are required."""
        text = statement(name)
        require_all(text, parameters)
        # On a young graph an included query may name labels that are not there yet.
        return Result.of(msgspec.structs.replace(self._answer(text, parameters), notices=()))

    def _answer(
        self,
        text: str,
        parameters: dict[str, Any],
        *,
        write: bool = False,
        limit: int | None = None,
    ) -> QueryAnswer:
        with QueryProgress() as waiting:
            return ask_and_wait(
                self._graph, text, parameters, write=write, limit=limit, progress=waiting.show
            )

    def queries(self) -> Result:
        """Return the included queries with their descriptions."""
        return Result(("query", "what"), [(name, summary(name)) for name in list_readable()])

    def lineage(
        self,
        node: str,
        *,
        up: int | None = None,
        down: int | None = None,
        columns: bool = False,
        indirect: bool = False,
        level: Level | None = None,
        at: datetime | str | None = None,
    ) -> Result:
        """Return the lineage upstream and downstream of a job, dataset or column.

        `up` and `down` are numbers of edges; the other options are those of `lineagegraph lineage`.
        """
        scope = LineageScope(
            up=up,
            down=down,
            columns=columns,
            indirect=indirect,
            level=level,
            at=_time(at),
            inherit=self._settings.inherit_namespace,
        )
        return list_flows(walk_lineage(self._graph, node, scope))

    def jobs(self, job: str | None = None, limit: int = 500) -> Result:
        """Return the jobs that have no parent, or a job and all below it."""
        if job is None:
            found = list_roots(self._graph, limit=limit)
            return list_jobs(list(map(Branch, found.jobs)), found.left_out)
        tree = read_job_tree(self._graph, job, limit=limit)
        return list_jobs([tree], tree.left_out or 0)

    def runs(self, job: str, limit: int = 20, day: date | str | None = None) -> Result:
        """Return the newest runs of a job, or of those that began in a day: `day="tuesday"`."""
        shown = ("id", "state", "started_at", "ended_at", "version", "fired_by", "error")
        if day is None:
            return Result.listing(read_runs(self._graph, job, limit=limit), RunRow, shown)
        found = read_runs_of_day(self._graph, job, day, self._settings.zone, limit)
        return Result.listing(found, RunRow, shown)

    def run(self, run: str) -> RunSummary:
        """Return all that is known of a run, by its id or a unique start of it."""
        return known_run(read_run(self._graph, run))

    def triggers(self, name: str | None = None, limit: int = 1000) -> Result:
        """Return the triggers, or the conditions of one and whether each holds."""
        if name is not None:
            return list_conditions(read_why(self._graph, name))
        shown = ("starts", "name", "enabled", "text", "firings", "fired_at")
        found = page_triggers(self._graph, None, Cut(limit))
        note = note_rest(found.total - len(found.items))
        return Result.listing(found.items, TriggerRow, shown, note)

    def emits(self, job: str) -> Result:
        """Return the values that a job's tasks declare to emit, with type and task."""
        return Result.listing(read_emits(self._graph, job), EmitRow)

    def freshness(self) -> FreshnessBoard:
        """Show the freshness board."""
        return FreshnessBoard(self._graph, self._settings)

    def explore(self, node: str = "", **state: Any) -> Explorer:
        """Show the lineage around a job or dataset, or all there is, and let it be walked.

        `state` is that of `Explorer`: `up`, `down`, `level`, `at`, `selected` and others.
        """
        return Explorer(self._graph, self._settings, node=node, **state)

    def history(self, job: str, namespace: str | None = None) -> RunHistory:
        """Show the run history of a job: timelines, comparisons and reruns."""
        found = find_job(self._graph, job, namespace)
        return RunHistory(self._graph, self._settings, job=found.name, namespace=found.namespace)

    def follow(self, run: str) -> LiveRun:
        """Show a run while it goes on: its tasks, how far Spark is, its log; it can be stopped.

        It is named by its id, or by its job: that is the newest run that has not ended, or else
        the newest.
        """
        return LiveRun(self._graph, self._settings, run_id=find_run_of(self._graph, run))

    def trigger_panel(self, name: str | None = None) -> TriggerPanel:
        """Show the rules that start jobs, and of one all there is; make and change some."""
        return TriggerPanel(self._graph, self._settings, selected=name or "")

    def place(self) -> str:
        """Return the address of the connection in one line."""
        found = self._graph.read(get_database)
        return (
            f"{self._graph.uri}, database {found.name}, as {self._graph.user}: "
            f"{format_count(found.jobs, 'job')}, {format_count(found.datasets, 'dataset')}"
        )

    def close(self) -> None:
        """Close the connection."""
        self._graph.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """Print the address of the connection in a notebook."""
        try:
            printer.text(f"connected to {self.place()}")
        except LineagegraphError as error:
            printer.text(str(error))

    def __repr__(self) -> str:
        return f"<lineagegraph at {self._graph.uri} as {self._graph.user}>"


def _time(at: datetime | str | None) -> datetime | None:
    """Return a time as it is meant: without a zone it is local."""
    try:
        at = datetime.fromisoformat(at) if isinstance(at, str) else at
    except ValueError:
        raise QueryRefused(f"{at!r} is not an ISO 8601 time") from None
    return at and at.astimezone()
