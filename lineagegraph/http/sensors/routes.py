"""The routes of sensors."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Annotated, NamedTuple
from uuid import UUID

from msgspec import Meta
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.errors import NotFound
from lineagegraph.graph import Graph
from lineagegraph.http.access.caller import caller_of, require, signature_of
from lineagegraph.http.plumbing.bodies import body_of
from lineagegraph.http.plumbing.operations import (
    ApiParameter,
    Body,
    Endpoint,
    Reply,
    delete,
    error_reply,
    get,
    in_path,
    listing,
    post,
    put,
    routes_of,
    tagged,
)
from lineagegraph.http.plumbing.parameters import path_uuid, read_cut, whole_number
from lineagegraph.http.plumbing.raw_route import RawRoute, path_text
from lineagegraph.http.plumbing.reads import answer, page_answer
from lineagegraph.http.plumbing.refusal import RequestRefused
from lineagegraph.http.sensors.answers import (
    CursorAnswer,
    SensorAnswer,
    SensorDetailsAnswer,
    WaitAnswer,
    cursor_answer,
    details_answer,
    sensor_answer,
    wait_answer,
)
from lineagegraph.http.sensors.bodies import CursorBody, SettleBody, WaitBody
from lineagegraph.model.access import EVERYWHERE, Role
from lineagegraph.queries.jobs.pages import Page
from lineagegraph.queries.sensors import WhyWaits, read_sensor, read_sensors, read_waits_of
from lineagegraph.reruns.original import namespace_of
from lineagegraph.runs.cancel import cancel_run
from lineagegraph.sensors import Sensor
from lineagegraph.sensors.kinds.run import RunSensor
from lineagegraph.settings import Settings
from lineagegraph.store.sensors import sensor_views
from lineagegraph.store.sensors.sensor_views import SensorRow
from lineagegraph.waits.by_hand import settle_wait
from lineagegraph.waits.cursors import set_cursor_by_hand
from lineagegraph.waits.standalone import start_wait

_LONGEST = 300
_ROUND = 0.5
_ALL = "/api/v1/sensors"
_WAIT = f"{_ALL}/waits/{{runId}}"
_RUN = in_path("runId", UUID, "00000000-0000-7000-8000-00000005e150", "The run that waits.")
_SETTLED = in_path(
    "runId", UUID, "00000000-0000-7000-8000-00000005e151", "The run whose waits are ended."
)
_SENSOR = in_path(
    "sensor",
    str,
    "dde19a66d83b5dceb9658c66d724ecbc",
    "The id of a sensor, or a unique start of it.",
)
_CURSOR = f"{_ALL}/{{sensor}}/cursor"
OPERATIONS = tagged(
    "sensors",
    get(
        _ALL,
        "getSensors",
        "Sensors, with how many runs wait for each.",
        listing("sensors", SensorAnswer, "Sensors, those with the most waits first."),
        ApiParameter("kind", str, "file", "Only sensors of this kind."),
    ),
    post(
        f"{_ALL}/waits",
        "postWait",
        "Wait for a sensor, as a run of its own that no worker takes.",
        Reply("The wait.", WaitAnswer, 201),
        body=Body(
            WaitBody,
            {
                "kind": "time",
                "fields": {"at": "2099-01-01T00:00:00Z"},
                "pokeInterval": 30,
                "timeout": "2h",
            },
        ),
    ),
    get(
        _WAIT,
        "getWait",
        "The state of a wait; with `wait`, once it is over or that many seconds have gone.",
        Reply("The wait.", WaitAnswer),
        _RUN,
        ApiParameter(
            "wait",
            Annotated[int, Meta(ge=0, le=_LONGEST)],
            1,
            f"Seconds, at most {_LONGEST}.",
            default=0,
        ),
    ),
    delete(
        _WAIT,
        "deleteWait",
        "End a wait.",
        Reply("It is over.", status=204),
        _RUN,
        also=(error_reply(409, "PartOfRun", "The run is a part of another."),),
    ),
    post(
        f"{_WAIT}/settle",
        "postSettle",
        "End the open wait of a run by hand, with a reason; the run continues.",
        Reply("The wait.", WaitAnswer),
        _SETTLED,
        body=Body(SettleBody, {"reason": "The file came by mail.", "outcome": "success"}),
        also=(error_reply(409, "NoOpenWait", "The wait is over."),),
    ),
    get(
        f"{_ALL}/{{sensor}}",
        "getSensor",
        "A sensor, and the runs that wait for it.",
        Reply("The sensor.", SensorDetailsAnswer),
        _SENSOR,
    ),
    get(
        _CURSOR,
        "getCursor",
        "The cursor behind the last new items of a sensor.",
        Reply("The cursor.", CursorAnswer),
        _SENSOR,
    ),
    put(
        _CURSOR,
        "putCursor",
        "Give a sensor a cursor: its next poke begins there.",
        Reply("The cursor; an equal one is left as it is.", CursorAnswer),
        _SENSOR,
        body=Body(CursorBody, {"cursor": "2026-01-31.csv"}),
    ),
    delete(
        _CURSOR,
        "deleteCursor",
        "Remove the cursor of a sensor: all items are new again.",
        Reply("It has none.", status=204),
        _SENSOR,
    ),
)


class _Served(NamedTuple):
    """The graph that is served, the installation's settings, and the nudge to daemons."""

    graph: Graph
    settings: Settings
    nudge: Callable[[], None]


def sensor_routes(graph: Graph, settings: Settings, nudge: Callable[[], None]) -> list[RawRoute]:
    """Return the routes; `nudge` is called when a wait begins."""
    served = _Served(graph, settings, nudge)
    endpoints: dict[str, Endpoint] = {
        "getSensors": partial(_list, served),
        "postWait": partial(_begin, served),
        "getWait": _when_over(served),
        "deleteWait": partial(_end, served),
        "postSettle": partial(_settle, served),
        "getSensor": partial(_get, served),
        "getCursor": partial(_get_cursor, served),
        "putCursor": partial(_put_cursor, served),
        "deleteCursor": partial(_delete_cursor, served),
    }
    return routes_of(OPERATIONS, endpoints, settings.max_body_bytes)


def _list(served: _Served, request: Request) -> Response:
    cut, kind = read_cut(request), request.query_params.get("kind")
    found = read_sensors(served.graph, kind, limit=cut.limit, offset=cut.offset)
    total = served.graph.read(sensor_views.count_sensors, kind=kind)
    return page_answer("sensors", Page(tuple(found), total), sensor_answer)


def _get(served: _Served, request: Request) -> Response:
    return answer(details_answer(read_sensor(served.graph, path_text(request, "sensor"))))


def _get_cursor(served: _Served, request: Request) -> Response:
    return answer(cursor_answer(_sensor(served, request)))


def _put_cursor(served: _Served, request: Request) -> Response:
    body = body_of(request, CursorBody)
    if body.cursor is None:
        raise RequestRefused(400, "cursor must not be null: DELETE removes it", "cursor")
    set_cursor_by_hand(served.graph, _sensor(served, request), body.text)
    return _get_cursor(served, request)


def _delete_cursor(served: _Served, request: Request) -> Response:
    set_cursor_by_hand(served.graph, _sensor(served, request), None)
    return Response(status_code=204)


def _sensor(served: _Served, request: Request) -> SensorRow:
    return read_sensor(served.graph, path_text(request, "sensor"), limit=1).sensor


def _begin(served: _Served, request: Request) -> Response:
    body = body_of(request, WaitBody)
    namespace = body.namespace or served.settings.namespace
    require(caller_of(request), Role.OPERATE, namespace)
    confined = caller_of(request).is_confined
    sensor, terms = body.sensor(confined=confined), body.terms()
    # Whoever may not read a namespace shall not learn of what is in it by waiting either.
    require(caller_of(request), Role.READ, _told_of(served, sensor) or namespace)
    begun = served.graph.write(
        start_wait,
        sensor=sensor,
        terms=terms,
        namespace=namespace,
        name=body.job,
        max_event_age=served.settings.max_event_age,
        routes=served.settings.notify,
    )
    served.nudge()
    return answer(wait_answer(_read(served, begun.run_id)), 201)


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
        until = time.monotonic() + whole_number(request, "wait", 0, _LONGEST)
        found = await run_in_threadpool(_read, served, run_id)
        require(caller_of(request), Role.READ, found.wait.namespace or "")
        while found.wait.outcome is None and not await request.is_disconnected():
            if (left := until - time.monotonic()) <= 0:
                break
            await asyncio.sleep(min(_ROUND, left))
            found = await run_in_threadpool(_read, served, run_id)
        return answer(wait_answer(found))

    return endpoint


def _end(served: _Served, request: Request) -> Response:
    found = _read(served, str(path_uuid(request, "runId"))).wait
    require(caller_of(request), Role.OPERATE, found.namespace or "")
    if found.root_id != found.run_id:
        raise RequestRefused(409, f"the wait is part of run {found.root_id}: cancel that run")
    max_event_age = served.settings.max_event_age
    served.graph.write(
        cancel_run, found.run_id, max_event_age=max_event_age, routes=served.settings.notify
    )
    return Response(status_code=204)


def _settle(served: _Served, request: Request) -> Response:
    body = body_of(request, SettleBody)
    found = _read(served, str(path_uuid(request, "runId"))).wait
    require(caller_of(request), Role.OPERATE, found.namespace or "")
    who = signature_of(request)
    author = f"{body.author} by {who}" if body.author else who
    settle_wait(served.graph, served.settings, found.run_id, body.outcome, body.reason, author)
    served.nudge()
    return answer(wait_answer(_read(served, found.run_id)))


def _read(served: _Served, run_id: str) -> WhyWaits:
    found = [one for one in read_waits_of(served.graph, run_id) if one.wait.run_id == run_id]
    if not found:
        raise NotFound(f"run {run_id} does not wait for a sensor")
    return found[0]
