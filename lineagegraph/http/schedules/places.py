"""The namespace, application and schedule in a path."""

from starlette.requests import Request

from lineagegraph.graph import Graph
from lineagegraph.http.plumbing.parameters import path_name
from lineagegraph.http.schedules.shapes import CURRENT
from lineagegraph.queries.triggers.schedules import check_application
from lineagegraph.store.triggers.schedules import Program
from lineagegraph.triggers.schedules import SchedulePath, find_program


def place_of(graph: Graph, request: Request) -> SchedulePath:
    """Return the place of a schedule; raise `NotFound` if the application does not exist."""
    namespace, application = application_of(graph, request)
    return SchedulePath(namespace, application, path_name(request, "schedule"))


def application_of(graph: Graph, request: Request) -> tuple[str, str]:
    """Return a namespace and an application of it that is there, in the version asked for."""
    namespace, application = path_name(request, "namespace"), path_name(request, "application")
    version = path_name(request, "version") if "version" in request.path_params else CURRENT
    check_application(graph, namespace, application, None if version == CURRENT else version)
    return namespace, application


def program_of(graph: Graph, request: Request) -> Program:
    """Return the pipeline that a path names."""
    where = application_of(graph, request)
    return graph.read(find_program, *where, path_name(request, "program"))
