"""The routes of schedules."""

from functools import partial

from lineagegraph.graph import Graph
from lineagegraph.http.plumbing.operations import Endpoint, routes_of
from lineagegraph.http.plumbing.raw_route import RawRoute
from lineagegraph.http.plumbing.reads import Reads
from lineagegraph.http.schedules import readers, run_times
from lineagegraph.http.schedules.operations import OPERATIONS
from lineagegraph.http.schedules.writers import ScheduleWriters
from lineagegraph.queries.triggers.schedules import list_next, list_previous
from lineagegraph.settings import Settings

_PATIENCE_SECONDS = 5.0


def schedule_routes(graph: Graph, settings: Settings) -> list[RawRoute]:
    """Return the routes of one graph."""
    patient = graph.with_patience(_PATIENCE_SECONDS)
    reads = Reads(patient, settings.inherit_namespace, settings.max_body_bytes)
    writers = ScheduleWriters(reads, settings.zone)
    of_application = _of_application(reads, writers)
    endpoints: dict[str, Endpoint] = {
        **of_application,
        **{f"{name}OfVersion": endpoint for name, endpoint in of_application.items()},
        "getNextRunTimes": partial(run_times.get_times, list_next, reads),
        "listNextRunTimes": partial(run_times.list_times, list_next, reads),
        "getPreviousRunTimes": partial(run_times.get_times, list_previous, reads),
        "listPreviousRunTimes": partial(run_times.list_times, list_previous, reads),
        "listSchedulesSetOff": partial(readers.list_set_off_by, reads),
        "reEnableSchedules": writers.re_enable,
    }
    return routes_of(OPERATIONS, endpoints, settings.max_body_bytes)


def _of_application(reads: Reads, writers: ScheduleWriters) -> dict[str, Endpoint]:
    return {
        "listSchedules": partial(readers.list_all, reads),
        "listSchedulesOfProgram": partial(readers.list_of_program, reads),
        "getSchedule": partial(readers.get_one, reads),
        "getScheduleStatus": partial(readers.get_status, reads),
        "addSchedule": writers.add,
        "deleteSchedule": writers.delete,
        "updateSchedule": writers.update,
        "enableSchedule": writers.enable,
        "suspendSchedule": writers.suspend,
        "resumeSchedule": writers.enable,
        "disableSchedule": writers.suspend,
    }
