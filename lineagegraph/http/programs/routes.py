"""The routes of programs: their runs are started, listed and stopped."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.errors import NotFound
from lineagegraph.graph import Graph
from lineagegraph.http.pipeline_runs.bodies import RunStartBody
from lineagegraph.http.pipeline_runs.routes import PipelineRuns, pipeline_runs
from lineagegraph.http.plumbing.bodies import body_of
from lineagegraph.http.plumbing.operations import routes_of
from lineagegraph.http.plumbing.parameters import one_of, run_id, whole_number
from lineagegraph.http.plumbing.raw_route import RawRoute
from lineagegraph.http.plumbing.reads import answer
from lineagegraph.http.plumbing.refusal import RequestRefused
from lineagegraph.http.programs.answers import (
    ProgramStartedAnswer,
    program_status,
    run_record,
    status_words,
)
from lineagegraph.http.programs.operations import MOST_SECONDS, OPERATIONS
from lineagegraph.http.schedules.places import gone_program_of, program_of, version_of
from lineagegraph.model.runs.states import FINAL, RunState
from lineagegraph.runs.queue import QueuedRun
from lineagegraph.settings import Settings
from lineagegraph.store.runs.history import ProgramRunRow, get_program_run, list_program_runs
from lineagegraph.store.triggers.schedules import Program

_STATUSES = status_words()
_OPEN = [state.value for state in RunState if state not in FINAL]
_MOST = 10_000
_FIRST, _LAST = datetime(1, 1, 1, tzinfo=UTC), datetime(9999, 12, 31, tzinfo=UTC)


class _Asked(NamedTuple):
    """The program in a path, and its version; None for the current one."""

    program: Program
    version: str | None


class Programs(NamedTuple):
    """The endpoints of programs."""

    runs: PipelineRuns

    def start(self, request: Request) -> Response:
        """Queue a run."""
        said = RunStartBody(params=body_of(request, dict[str, Any]), version=version_of(request))
        try:
            program, _ = self._asked(request)
        except NotFound:
            queued = self._repeated(said, request)
            if queued is None:
                raise
        else:
            queued = self.runs.queue(program.key, program.name, said, request)
        return answer(ProgramStartedAnswer(queued.run_id))

    def _repeated(self, said: RunStartBody, request: Request) -> QueuedRun | None:
        """Return the run of a request that is sent again when the program is gone."""
        gone = gone_program_of(self.runs.reads.graph, request)
        return self.runs.repeated(gone.key, gone.name, said, request) if gone else None

    def status(self, request: Request) -> Response:
        """Answer whether a program runs."""
        return answer(program_status(self._open(self._asked(request))))

    def list_runs(self, request: Request) -> Response:
        """Answer runs, newest first."""
        asked = self._asked(request)
        rows = self.runs.reads.graph.read(
            list_program_runs,
            key=asked.program.key,
            version=asked.version,
            states=one_of(request, "status", _STATUSES, "all"),
            since=_time(request, "start", _FIRST),
            until=_time(request, "end", _LAST),
            limit=whole_number(request, "limit", 100, _MOST),
        )
        return answer([run_record(row) for row in rows])

    def get_run(self, request: Request) -> Response:
        """Answer one run."""
        return answer(run_record(self._find(request)))

    def stop(self, request: Request) -> Response:
        """Cancel all runs in progress: 400 if there are none, as in CDAP."""
        asked = self._asked(request)
        ended = [self.runs.end(row.id) for row in self._open(asked) if row.is_open]
        if not any(ended):
            raise RequestRefused(400, f"{asked.program.name} is not running")
        return answer("OK")

    def stop_run(self, request: Request) -> Response:
        """Cancel a run: 400 if it is not in progress."""
        row = self._find(request)
        if not self.runs.end(row.id):
            raise RequestRefused(400, f"run {row.id} is not running")
        return answer("OK")

    def _asked(self, request: Request) -> _Asked:
        return _Asked(program_of(self.runs.reads.graph, request), version_of(request))

    def _find(self, request: Request) -> ProgramRunRow:
        (program, version), run = self._asked(request), run_id(request)
        graph = self.runs.reads.graph
        found = graph.read(get_program_run, key=program.key, version=version, id=run)
        if found is None:
            raise NotFound(f"{program.name} has no run {run}")
        return found

    def _open(self, asked: _Asked) -> list[ProgramRunRow]:
        graph, (program, version) = self.runs.reads.graph, asked
        return graph.read(
            list_program_runs,
            key=program.key,
            version=version,
            states=_OPEN,
            since=_FIRST,
            until=_LAST,
            limit=_MOST,
        )


def program_routes(graph: Graph, settings: Settings, nudge: Callable[[], None]) -> list[RawRoute]:
    """Return the routes of one graph; `nudge` is called when there is a run to start or to end."""
    programs = Programs(pipeline_runs(graph, settings, nudge))
    endpoints = {
        "startProgram": programs.start,
        "getProgramStatus": programs.status,
        "listProgramRuns": programs.list_runs,
        "getProgramRun": programs.get_run,
        "stopProgram": programs.stop,
        "stopProgramRun": programs.stop_run,
    }
    versioned = {f"{name}OfVersion": endpoint for name, endpoint in endpoints.items()}
    return routes_of(OPERATIONS, endpoints | versioned, settings.max_body_bytes)


def _time(request: Request, name: str, default: datetime) -> datetime:
    if not request.query_params.get(name):
        return default
    return datetime.fromtimestamp(whole_number(request, name, 0, MOST_SECONDS), UTC)
