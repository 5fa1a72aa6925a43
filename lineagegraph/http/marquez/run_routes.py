"""The routes of runs: one run, its facets, the runs below it, and its start and end."""

from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Literal

from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.http.access import caller_of, require_on_run
from lineagegraph.http.marquez.parent_cycle_answers import ParentCycleAnswer, parent_cycle_answer
from lineagegraph.http.marquez.paths import ONE_RUN, RUN_ID
from lineagegraph.http.marquez.run_answers import (
    RunAnswer,
    RunFacetsAnswer,
    RunLogAnswer,
    State,
    read_states,
    run_answer,
)
from lineagegraph.http.marquez.writer_events import Take, run_event
from lineagegraph.http.plumbing.answers import Count, Timestamp, answer_from
from lineagegraph.http.plumbing.operations import (
    ApiParameter,
    Operation,
    Reply,
    get,
    listing,
    post,
    routes_of,
    tagged,
)
from lineagegraph.http.plumbing.parameters import one_of, read_cut, run_id, time_of, whole_number
from lineagegraph.http.plumbing.raw_route import RawRoute
from lineagegraph.http.plumbing.reads import Reads, answer, page_answer
from lineagegraph.model.access import Role
from lineagegraph.model.runs.states import EventType
from lineagegraph.queries.analysis.parent_cycles import page_parent_cycles
from lineagegraph.queries.jobs import one, pages
from lineagegraph.runs.task_logs import read_log

RUNS = listing("runs", RunAnswer, "Runs, and how many there are in all.")
_MOST_ATTEMPTS = 1_000_000
_SCOPES = {"run": "run", "job": "job"}
_MARKS = {
    "start": EventType.START,
    "complete": EventType.COMPLETE,
    "fail": EventType.FAIL,
    "abort": EventType.ABORT,
}


def _mark_operation(mark: str, summary: str) -> Operation:
    return post(
        f"{ONE_RUN}/{mark}",
        _mark_name(mark),
        summary,
        Reply("The run.", RunAnswer),
        RUN_ID,
        ApiParameter(
            "at", Timestamp, "2026-03-02T10:15:30Z", "When it happened; the default is now."
        ),
    )


def _mark_name(mark: str) -> str:
    return f"post{mark.title()}Run"


OPERATIONS = tagged(
    "runs",
    get(
        "/api/v1/runs",
        "listAllRuns",
        "The runs of all jobs, newest first.",
        RUNS,
        ApiParameter("state", list[State], ["FAILED"], "Only runs in one of these states."),
        ApiParameter(
            "since", Timestamp, "2026-03-02T00:00:00Z", "Only runs created then or later."
        ),
        ApiParameter("until", Timestamp, "2036-01-01T00:00:00Z", "Only runs created before."),
    ),
    get(
        "/api/v1/runs/parent-cycles",
        "listParentCycles",
        "Runs that name each other as parents, around a cycle.",
        listing("parentCycles", ParentCycleAnswer, "Cycles of parents, by their lowest run id."),
    ),
    get(ONE_RUN, "getRun", "One run.", Reply("One run of a job.", RunAnswer), RUN_ID),
    get(
        f"{ONE_RUN}/facets",
        "getRunFacets",
        "The facets of a run, or of its job as the run gave them.",
        Reply("The facets of a run, or of its job as the run gave them.", RunFacetsAnswer),
        RUN_ID,
        ApiParameter("type", Literal["run", "job"], "run", required=True),
    ),
    get(
        f"{ONE_RUN}/children",
        "listChildRuns",
        "The runs right below a run, in the order in which they began.",
        RUNS,
        RUN_ID,
    ),
    get(
        f"{ONE_RUN}/descendants",
        "listDescendantRuns",
        "All runs below a run: the nearer ones first, then in the order in which they began.",
        RUNS,
        RUN_ID,
    ),
    get(
        f"{ONE_RUN}/log",
        "getRunLog",
        "The log of a run or task.",
        Reply("The log of a run or task.", RunLogAnswer),
        RUN_ID,
        ApiParameter("attempt", Count, 0, "The number of the attempt; 0 is the newest.", default=0),
    ),
    _mark_operation("start", "A run starts."),
    _mark_operation("complete", "A run ends well."),
    _mark_operation("fail", "A run fails."),
    _mark_operation("abort", "A run is aborted."),
)


def run_routes(reads: Reads, take: Take, logs: Path) -> list[RawRoute]:
    """Return the routes; `take` writes events, and `logs` is the folder of log files."""
    endpoints = {
        "listAllRuns": partial(_all_runs, reads),
        "listParentCycles": partial(_parent_cycles, reads),
        "getRun": partial(_run, reads),
        "getRunFacets": partial(_facets, reads),
        "getRunLog": partial(_log, reads, logs),
        "listChildRuns": partial(_related, "children", reads),
        "listDescendantRuns": partial(_related, "descendants", reads),
        **{_mark_name(mark): partial(_mark, reads, take, kind) for mark, kind in _MARKS.items()},
    }
    return routes_of(OPERATIONS, endpoints)


def _all_runs(reads: Reads, request: Request) -> Response:
    chosen = pages.RunFilter(
        read_states(request, "state"), time_of(request, "since"), time_of(request, "until")
    )
    page = pages.page_all_runs(reads.graph, chosen, reads.inherit, read_cut(request))
    return page_answer("runs", page, run_answer)


def _parent_cycles(reads: Reads, request: Request) -> Response:
    page = page_parent_cycles(reads.graph, read_cut(request))
    return page_answer("parentCycles", page, parent_cycle_answer)


def _run(reads: Reads, request: Request) -> Response:
    found = one.read_run_detail(reads.graph, run_id(request), reads.inherit)
    require_on_run(request, Role.READ, found.namespace)
    return answer(run_answer(found))


def _facets(reads: Reads, request: Request) -> Response:
    run, scope = run_id(request), one_of(request, "type", _SCOPES)
    return answer(RunFacetsAnswer(run, one.read_run_facets(reads.graph, run, scope)))


def _log(reads: Reads, logs: Path, request: Request) -> Response:
    attempt = whole_number(request, "attempt", 0, _MOST_ATTEMPTS) or None
    run = run_id(request)
    require_on_run(request, Role.READ, one.read_run_namespace(reads.graph, run, reads.inherit))
    found = read_log(reads.graph, logs, run, attempt)
    return answer(answer_from(RunLogAnswer, found))


def _related(relation: str, reads: Reads, request: Request) -> Response:
    run, cut = run_id(request), read_cut(request)
    one.read_run_detail(reads.graph, run, reads.inherit)
    page = pages.page_related_runs(reads.graph, run, relation, reads.inherit, cut)
    return page_answer("runs", page, run_answer)


def _mark(reads: Reads, take: Take, kind: EventType, request: Request) -> Response:
    run = run_id(request)
    at = time_of(request, "at") or datetime.now(UTC)
    event = run_event(run, one.read_own_job(reads.graph, run), kind, at=at)
    take(caller_of(request), [event])
    return answer(run_answer(one.read_run_detail(reads.graph, run, reads.inherit)))
