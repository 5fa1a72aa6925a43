"""The OpenAPI document, put together from the parts beside this file."""

from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from lineagegraph.http.access.needs import OPEN

_PARTS = Path(__file__).parent / "parts"
_SECTIONS = ("schemas", "parameters", "responses")
_REFUSALS = {
    status: {"$ref": f"#/components/responses/{name}"}
    for status, name in (("401", "Unauthorized"), ("403", "Forbidden"))
}


@cache
def make_document() -> dict[str, Any]:
    """Return the document: each part has `paths`, and `components` that any part may refer to."""
    paths: dict[str, dict[str, Any]] = {}
    components: dict[str, dict[str, Any]] = {section: {} for section in _SECTIONS}
    for part in sorted(_PARTS.glob("*.json")):
        read = msgspec.json.decode(part.read_bytes())
        for path, methods in read.get("paths", {}).items():
            paths.setdefault(path, {}).update(methods)
        for section, items in read.get("components", {}).items():
            components[section] |= items
    for path in paths.keys() - OPEN:
        for operation in paths[path].values():
            operation["responses"] |= _REFUSALS
    components["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    about = {"title": "lineagegraph", "version": version("lineagegraph")}
    return {
        "openapi": "3.1.0",
        "info": about,
        "security": [{}, {"token": []}],
        "paths": paths,
        "components": components,
    }


def openapi_route() -> Route:
    """Return the route that serves the document."""

    def get_document(request: Request) -> Response:
        return Response(msgspec.json.encode(make_document()), media_type="application/json")

    return Route("/api/v1/openapi.json", get_document, methods=["GET"])
