"""The OpenAPI document, generated from the operations and their types."""

from collections.abc import Iterable
from functools import cache
from importlib.metadata import version
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.http import (
    audit,
    batches,
    claims,
    external_events,
    forecast,
    freshness,
    health,
    mutes,
    pause,
    pools,
    skips,
    trends,
    variables,
)
from lineagegraph.http.access.needs import OPEN
from lineagegraph.http.backfills import routes as backfills
from lineagegraph.http.ingest import operations as ingest
from lineagegraph.http.marquez.operations import OPERATIONS as MARQUEZ
from lineagegraph.http.metrics import route as metrics
from lineagegraph.http.page import answers as views
from lineagegraph.http.pipeline_runs.routes import OPERATIONS as PIPELINE_RUNS
from lineagegraph.http.plumbing.operations import (
    JSON_TYPE,
    RETRY_AFTER,
    ApiParameter,
    Header,
    Operation,
    Reply,
    error_reply,
    plain,
    routes_of,
    tagged,
)
from lineagegraph.http.plumbing.raw_route import RawRoute
from lineagegraph.http.plumbing.schemas import make_schemas
from lineagegraph.http.programs import operations as programs
from lineagegraph.http.reruns import routes as reruns
from lineagegraph.http.run_states import routes as run_states
from lineagegraph.http.schedules import operations as schedules
from lineagegraph.http.sensors import routes as sensors
from lineagegraph.http.sessions import routes as sessions
from lineagegraph.http.triggers import operations as triggers

_GET_DOCUMENT = plain(
    "/api/v1/openapi.json", "getOpenApi", "This document.", Reply("OpenAPI 3.1.", dict[str, Any])
)
OPERATIONS = (
    *health.OPERATIONS,
    *metrics.OPERATIONS,
    *tagged("server", _GET_DOCUMENT),
    *ingest.OPERATIONS,
    *MARQUEZ,
    *PIPELINE_RUNS,
    *run_states.OPERATIONS,
    *schedules.OPERATIONS,
    *programs.OPERATIONS,
    *backfills.OPERATIONS,
    *reruns.OPERATIONS,
    *external_events.OPERATIONS,
    *freshness.OPERATIONS,
    *sensors.OPERATIONS,
    *sessions.OPERATIONS,
    *skips.OPERATIONS,
    *mutes.OPERATIONS,
    *forecast.OPERATIONS,
    *trends.OPERATIONS,
    *pause.OPERATIONS,
    *triggers.OPERATIONS,
    *batches.OPERATIONS,
    *variables.OPERATIONS,
    *pools.OPERATIONS,
    *claims.OPERATIONS,
    *audit.OPERATIONS,
    *views.OPERATIONS,
)
_UNAUTHORIZED = error_reply(
    401,
    "Unauthorized",
    "No token where one is needed, or one that is not known.",
    WWW_Authenticate=Header({"type": "string"}, "How to send one."),
)
_FORBIDDEN = error_reply(
    403,
    "Forbidden",
    "The token lacks a role on a namespace, which the answer names; or a page of another site sent "
    "the request.",
)
_MISDIRECTED = error_reply(
    421, "Misdirected", "Host is not a name of the server: see the setting allowed_hosts."
)
_TOO_MANY = error_reply(
    429,
    "TooMany",
    "More than a limit_… setting allows the token, or the address without one.",
    Retry_After=RETRY_AFTER,
)


@cache
def make_document() -> dict[str, Any]:
    """Return the document."""
    operations = [_guarded(one) for one in OPERATIONS]
    schemas, components = make_schemas(_types(operations))
    described = _Describer(schemas)
    paths: dict[str, dict[str, Any]] = {}
    for one in operations:
        paths.setdefault(one.path, {})[one.method.lower()] = described.operation(one)
    return {
        "openapi": "3.1.0",
        "info": {"title": "lineagegraph", "version": version("lineagegraph")},
        "security": [{}, {"token": []}],
        "paths": paths,
        "components": {
            "schemas": components,
            "responses": described.shared,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def openapi_route() -> RawRoute:
    """Return the route that serves the document."""

    def get_document(request: Request) -> Response:
        return Response(msgspec.json.encode(make_document()), media_type=JSON_TYPE)

    (route,) = routes_of((_GET_DOCUMENT,), {_GET_DOCUMENT.name: get_document})
    return route


def _guarded(one: Operation) -> Operation:
    of_tokens = () if one.path in OPEN else (_UNAUTHORIZED,)
    shared = (*of_tokens, _FORBIDDEN, _MISDIRECTED, _TOO_MANY)
    return msgspec.structs.replace(one, replies=(*one.replies, *shared))


def _types(operations: Iterable[Operation]) -> Iterable[Any]:
    for one in operations:
        yield from (reply.type for reply in one.replies if reply.type is not None)
        yield from (parameter.type for parameter in one.parameters)
        if one.body:
            yield one.body.type


class _Describer:
    """Writes operations as OpenAPI has them, and collects the answers that they share."""

    def __init__(self, schemas: dict[Any, dict[str, Any]]) -> None:
        self._schemas = schemas
        self.shared: dict[str, Any] = {}

    def operation(self, one: Operation) -> dict[str, Any]:
        """Return an operation."""
        found: dict[str, Any] = {
            "summary": one.summary,
            "operationId": one.name,
            "tags": [one.tag],
            "description": one.description,
            "deprecated": one.deprecated,
            "parameters": [self._parameter(parameter) for parameter in one.parameters],
        }
        if one.body:
            content = {"schema": self._schemas[one.body.type], "example": one.body.example}
            found["requestBody"] = {"required": one.body.required, "content": {JSON_TYPE: content}}
        found["responses"] = {str(reply.status): self._reply(reply) for reply in one.replies}
        return {name: value for name, value in found.items() if value}

    def _parameter(self, one: ApiParameter) -> dict[str, Any]:
        schema = self._schemas[one.type]
        if one.default is not msgspec.UNSET:
            schema = schema | {"default": one.default}
        found = {"name": one.name, "in": one.place, "required": one.required, "schema": schema}
        return found | _described(one.about) | {"example": one.example}

    def _reply(self, one: Reply) -> dict[str, Any]:
        if not one.shared:
            return self._whole(one)
        if one.shared not in self.shared:
            self.shared[one.shared] = self._whole(one)
        return {"$ref": f"#/components/responses/{one.shared}"}

    def _whole(self, one: Reply) -> dict[str, Any]:
        content = {text: {"schema": {"type": "string"}} for text in one.texts}
        if one.type is not None:
            content = {one.json_type: {"schema": self._schemas[one.type]}, **content}
        headers = {
            name: {"schema": header.schema, "required": header.required} | _described(header.about)
            for name, header in one.headers.items()
        }
        found = {"description": one.about}
        return found | {
            key: value for key, value in (("content", content), ("headers", headers)) if value
        }


def _described(text: str) -> dict[str, str]:
    return {"description": text} if text else {}
