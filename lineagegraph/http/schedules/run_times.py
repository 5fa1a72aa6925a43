"""When the schedules of pipelines come next, and came last: of one, and of many at once."""

from collections.abc import Callable
from datetime import datetime
from typing import Annotated, Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.errors import NotFound
from lineagegraph.graph import Graph
from lineagegraph.http.plumbing.bodies import body_of
from lineagegraph.http.plumbing.parameters import path_name
from lineagegraph.http.plumbing.reads import Reads, answer
from lineagegraph.http.schedules.places import program_of
from lineagegraph.scheduling.schedules import KINDS, find_program

Times = Callable[[Graph, str], list[tuple[str, datetime]]]


class ProgramBody(msgspec.Struct, rename="camel"):
    """A program whose times are asked for."""

    app_id: str
    program_type: str
    program_id: str


# More than this is not asked for by hand.
_Programs = Annotated[list[ProgramBody], msgspec.Meta(max_length=1000)]


def get_times(times: Times, reads: Reads, request: Request) -> Response:
    """Answer the times of one pipeline."""
    return answer(_shape(times(reads.graph, program_of(reads.graph, request).key)))


def list_times(times: Times, reads: Reads, request: Request) -> Response:
    """Answer the times of many pipelines; one that is not there is told with its own 404."""
    namespace = path_name(request, "namespace")
    programs = body_of(request, _Programs)
    return answer([_of_program(times, reads.graph, namespace, one) for one in programs])


def _of_program(times: Times, graph: Graph, namespace: str, program: ProgramBody) -> dict[str, Any]:
    said: dict[str, Any] = msgspec.to_builtins(program)
    try:
        kind = KINDS.get(program.program_type.upper(), program.program_type)
        found = graph.read(find_program, namespace, program.app_id, program.program_id, kind)
    except NotFound as error:
        return said | {"statusCode": 404, "error": str(error)}
    return said | {"statusCode": 200, "schedules": _shape(times(graph, found.key))}


def _shape(times: list[tuple[str, datetime]]) -> list[dict[str, Any]]:
    return [{"id": name, "time": int(at.timestamp() * 1000)} for name, at in times]
