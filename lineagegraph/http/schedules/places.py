"""The namespace, application and schedule in a path."""

from starlette.requests import Request

from lineagegraph.graph import Graph
from lineagegraph.http.plumbing.parameters import path_name
from lineagegraph.http.schedules.shapes import CURRENT
from lineagegraph.model.runs.states import JobKind
from lineagegraph.queries.triggers.schedules import check_application
from lineagegraph.store.triggers.schedules import Program, list_programs
from lineagegraph.triggers.schedules import SchedulePath, find_program


def place_of(graph: Graph, request: Request) -> SchedulePath:
    """Return the place of a schedule; raise `NotFound` if the application does not exist."""
    namespace, application = application_of(graph, request)
    return SchedulePath(namespace, application, path_name(request, "schedule"))


def application_of(graph: Graph, request: Request) -> tuple[str, str]:
    """Return a namespace and an application of it that is there, in the version asked for."""
    namespace, application = path_name(request, "namespace"), path_name(request, "application")
    check_application(graph, namespace, application, version_of(request))
    return namespace, application


def version_of(request: Request) -> str | None:
    """Return the version in a path; None for the current one."""
    version = path_name(request, "version") if "version" in request.path_params else CURRENT
    return None if version == CURRENT else version


def gone_program_of(graph: Graph, request: Request) -> Program | None:
    """Return the pipeline that a path names though it is gone; None if there never was one."""
    namespace, application = path_name(request, "namespace"), path_name(request, "application")
    rows = [{"namespace": namespace, "name": path_name(request, "program")}]
    for program in graph.read(list_programs, rows=rows):
        if (program.application, program.kind) == (application, JobKind.PIPELINE):
            return program
    return None


def program_of(graph: Graph, request: Request) -> Program:
    """Return the pipeline that a path names."""
    where = application_of(graph, request)
    return graph.read(find_program, *where, path_name(request, "program"))
