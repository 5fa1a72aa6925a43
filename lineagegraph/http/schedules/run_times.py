"""Next and previous times of the schedules of one pipeline, or of many."""

from collections.abc import Callable
from datetime import datetime

from msgspec import UNSET
from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.errors import NotFound
from lineagegraph.graph import Graph
from lineagegraph.http.plumbing.answers import answer_from
from lineagegraph.http.plumbing.bodies import body_of
from lineagegraph.http.plumbing.parameters import path_name
from lineagegraph.http.plumbing.reads import Reads, answer
from lineagegraph.http.schedules.answers import ProgramTimesAnswer, ScheduledTimeAnswer
from lineagegraph.http.schedules.body import BatchProgramBody, BatchProgramsBody
from lineagegraph.http.schedules.places import program_of
from lineagegraph.triggers.schedules import KINDS, find_program

Times = Callable[[Graph, str], list[tuple[str, datetime]]]


def get_times(times: Times, reads: Reads, request: Request) -> Response:
    """Answer the times of one pipeline."""
    return answer(_listed(times(reads.graph, program_of(reads.graph, request).key)))


def list_times(times: Times, reads: Reads, request: Request) -> Response:
    """Answer the times of many pipelines; a missing one gets its own 404."""
    namespace = path_name(request, "namespace")
    programs = body_of(request, BatchProgramsBody)
    return answer([_of_program(times, reads.graph, namespace, one) for one in programs])


def _of_program(
    times: Times, graph: Graph, namespace: str, program: BatchProgramBody
) -> ProgramTimesAnswer:
    try:
        kind = KINDS.get(program.program_type.upper(), program.program_type)
        found = graph.read(find_program, namespace, program.app_id, program.program_id, kind)
    except NotFound as error:
        return answer_from(
            ProgramTimesAnswer, program, status_code=404, error=str(error), schedules=UNSET
        )
    found_times = _listed(times(graph, found.key))
    return answer_from(
        ProgramTimesAnswer, program, status_code=200, error=UNSET, schedules=found_times
    )


def _listed(times: list[tuple[str, datetime]]) -> list[ScheduledTimeAnswer]:
    return [ScheduledTimeAnswer(name, int(at.timestamp() * 1000)) for name, at in times]
