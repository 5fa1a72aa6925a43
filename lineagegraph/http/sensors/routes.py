"""The routes of sensors."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from functools import partial
from typing import NamedTuple

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.errors import NotFound
from lineagegraph.graph import Graph
from lineagegraph.http.access.caller import caller_of, require
from lineagegraph.http.marquez.bodies import body_of, with_body
from lineagegraph.http.marquez.parameters import path_uuid, read_cut, whole_number
from lineagegraph.http.marquez.raw_route import RawRoute, path_text
from lineagegraph.http.marquez.reads import Reads, answer, page_answer
from lineagegraph.http.refusal import RequestRefused
from lineagegraph.http.sensors.bodies import WaitBody
from lineagegraph.http.sensors.shapes import details_shape, sensor_shape, why_shape
from lineagegraph.model.access import EVERYWHERE, Role
from lineagegraph.queries.jobs.pages import Page
from lineagegraph.queries.sensors.sensors import WhyWaits, read_sensor, read_sensors, read_waits_of
from lineagegraph.reruns.original import namespace_of
from lineagegraph.runs.cancel import cancel_run
from lineagegraph.sensors import Sensor
from lineagegraph.sensors.kinds.run import RunSensor
from lineagegraph.settings import Settings
from lineagegraph.store.sensors import sensor_views
from lineagegraph.waits.standalone import start_wait

_LONGEST = 300
_ROUND = 0.5


class _Served(NamedTuple):
    """The graph that is served, the installation's settings, and what tells daemons to look."""

    graph: Graph
    settings: Settings
    nudge: Callable[[], None]


def sensor_routes(graph: Graph, settings: Settings, nudge: Callable[[], None]) -> list[RawRoute]:
    """Return the routes; `nudge` is called when somebody begins to wait."""
    served = _Served(graph, settings, nudge)
    reads = Reads(graph, settings.inherit_namespace, settings.max_body_bytes)
    path = "/api/v1/sensors"
    one = f"{path}/waits/{{runId}}"
    return [
        RawRoute(path, partial(_list, served), methods=["GET"]),
        RawRoute(f"{path}/waits", with_body(reads, partial(_begin, served)), methods=["POST"]),
        RawRoute(one, _when_over(served), methods=["GET"]),
        RawRoute(one, partial(_end, served), methods=["DELETE"]),
        RawRoute(f"{path}/{{sensor}}", partial(_get, served), methods=["GET"]),
    ]


def _list(served: _Served, request: Request) -> Response:
    cut, kind = read_cut(request), request.query_params.get("kind")
    found = read_sensors(served.graph, kind, limit=cut.limit, offset=cut.offset)
    total = served.graph.read(sensor_views.count_sensors, kind=kind)
    return page_answer("sensors", Page(tuple(found), total), sensor_shape)


def _get(served: _Served, request: Request) -> Response:
    return answer(details_shape(read_sensor(served.graph, path_text(request, "sensor"))))


def _begin(served: _Served, request: Request) -> Response:
    said = body_of(request, WaitBody)
    namespace = said.namespace or served.settings.namespace
    require(caller_of(request), Role.OPERATE, namespace)
    sensor, terms = said.sensor(), said.terms()
    # Whoever may not read a namespace shall not learn of what is in it by waiting either.
    require(caller_of(request), Role.READ, _told_of(served, sensor) or namespace)
    begun = served.graph.write(
        start_wait,
        sensor=sensor,
        terms=terms,
        namespace=namespace,
        name=said.job,
        news=timedelta(seconds=served.settings.news_seconds),
        routes=served.settings.notify,
    )
    served.nudge()
    answered = answer(why_shape(_read(served, begun.run_id)))
    answered.status_code = 201
    return answered


def _told_of(served: _Served, sensor: Sensor) -> str | None:
    """Return the namespace that who waits for a sensor learns of, None for that of the wait."""
    if not isinstance(sensor, RunSensor) or sensor.run_id is None:
        return getattr(sensor, "namespace", None)
    try:
        return namespace_of(served.graph, sensor.run_id)
    except NotFound:
        return EVERYWHERE  # it may come to be in any


def _when_over(served: _Served) -> Callable[[Request], Awaitable[Response]]:
    """Return the endpoint that answers when a wait is over, or when its caller's time is."""

    async def endpoint(request: Request) -> Response:
        run_id = str(path_uuid(request, "runId"))
        rounds = whole_number(request, "wait", 0, _LONGEST) / _ROUND
        found = await run_in_threadpool(_read, served, run_id)
        require(caller_of(request), Role.READ, found.wait.namespace or "")
        while found.wait.outcome is None and rounds > 0 and not await request.is_disconnected():
            rounds -= 1
            await asyncio.sleep(_ROUND)
            found = await run_in_threadpool(_read, served, run_id)
        return answer(why_shape(found))

    return endpoint


def _end(served: _Served, request: Request) -> Response:
    found = _read(served, str(path_uuid(request, "runId"))).wait
    require(caller_of(request), Role.OPERATE, found.namespace or "")
    if found.root_id != found.run_id:
        raise RequestRefused(409, f"it is a part of run {found.root_id}: stop that")
    news = timedelta(seconds=served.settings.news_seconds)
    served.graph.write(cancel_run, found.run_id, news=news, routes=served.settings.notify)
    return Response(status_code=204)


def _read(served: _Served, run_id: str) -> WhyWaits:
    found = [one for one in read_waits_of(served.graph, run_id) if one.wait.run_id == run_id]
    if not found:
        raise NotFound(f"run {run_id} waits for no sensor")
    return found[0]
