"""All routes of schedules."""

from collections.abc import Callable, Iterator
from functools import partial

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from lineagegraph.explore.schedules import list_next, list_previous
from lineagegraph.graph import Graph
from lineagegraph.http.plumbing.bodies import with_body
from lineagegraph.http.plumbing.raw_route import RawRoute
from lineagegraph.http.plumbing.reads import Reads
from lineagegraph.http.schedules import readers, run_times
from lineagegraph.http.schedules.writers import ScheduleWriters
from lineagegraph.settings import Settings

_NAMESPACE = "/v3/namespaces/{namespace}"
_APPLICATION = f"{_NAMESPACE}/apps/{{application}}"
_PATIENCE_SECONDS = 5.0
Work = Callable[[Request], Response]


def schedule_routes(graph: Graph, settings: Settings) -> list[BaseRoute]:
    """Return the routes of one graph."""
    patient = graph.with_patience(_PATIENCE_SECONDS)
    reads = Reads(patient, settings.inherit_namespace, settings.max_body_bytes)
    writers = ScheduleWriters(reads, settings.zone)
    return [
        *_of_application(_APPLICATION, reads, writers),
        *_of_application(f"{_APPLICATION}/versions/{{version}}", reads, writers),
        *_of_times(reads),
        RawRoute(
            f"{_NAMESPACE}/schedules/trigger-type/program-status",
            partial(readers.list_set_off_by, reads),
            methods=["GET"],
        ),
        RawRoute(f"{_NAMESPACE}/schedules/re-enable", writers.re_enable, methods=["PUT"]),
    ]


def _of_application(base: str, reads: Reads, writers: ScheduleWriters) -> Iterator[BaseRoute]:
    one = f"{base}/schedules/{{schedule}}"
    gets: dict[str, Callable[[Reads, Request], Response]] = {
        f"{base}/schedules": readers.list_all,
        f"{base}/workflows/{{program}}/schedules": readers.list_of_program,
        one: readers.get_one,
        f"{one}/status": readers.get_status,
    }
    for path, get in gets.items():
        yield RawRoute(path, partial(get, reads), methods=["GET"])
    yield RawRoute(one, with_body(reads.most_bytes, writers.add), methods=["PUT"])
    yield RawRoute(one, writers.delete, methods=["DELETE"])
    yield RawRoute(f"{one}/update", with_body(reads.most_bytes, writers.update), methods=["POST"])
    actions: dict[str, Work] = {"enable": writers.enable, "suspend": writers.suspend}
    actions |= {"resume": writers.enable, "disable": writers.suspend}
    for action, act in actions.items():
        yield RawRoute(f"{one}/{action}", act, methods=["POST"])


def _of_times(reads: Reads) -> Iterator[BaseRoute]:
    for name, times in (("nextruntime", list_next), ("previousruntime", list_previous)):
        one = partial(run_times.get_times, times, reads)
        many = partial(run_times.list_times, times, reads)
        yield RawRoute(f"{_APPLICATION}/workflows/{{program}}/{name}", one, methods=["GET"])
        yield RawRoute(f"{_NAMESPACE}/{name}", with_body(reads.most_bytes, many), methods=["POST"])
