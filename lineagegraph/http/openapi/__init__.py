"""The description of the HTTP API, for people's tools."""

from lineagegraph.http.openapi.document import make_document, openapi_route

__all__ = ["make_document", "openapi_route"]
