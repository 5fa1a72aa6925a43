"""The operations of the OpenAPI document, with the requests that their examples make."""

from collections.abc import Iterator
from typing import Any, NamedTuple
from urllib.parse import quote

from lineagegraph.http.openapi import make_document

_METHODS = ("get", "put", "post", "patch", "delete")
_NO_METHOD = "405"
_REFUSED = {
    ("get", "/api/v1/session"): 404,
    ("post", "/api/v1/session"): 401,
    ("delete", "/api/v1/session"): 404,
    ("get", "/login/oidc"): 404,
    ("get", "/login/oidc/callback"): 404,
}


class Sent(NamedTuple):
    """A request, and the body that it has, if any."""

    method: str
    path: str
    query: dict[str, Any]
    body: Any


class Operation(NamedTuple):
    """One method of one path, as the document describes it."""

    method: str
    path: str
    about: dict[str, Any]

    @property
    def parameters(self) -> list[dict[str, Any]]:
        """The parameters."""
        found: list[dict[str, Any]] = self.about.get("parameters", [])
        return found

    @property
    def body(self) -> dict[str, Any] | None:
        """The media type of the body, if there is one."""
        content = self.about.get("requestBody", {}).get("content", {})
        found: dict[str, Any] | None = content.get("application/json")
        return found

    @property
    def success(self) -> int:
        """The status of the first success; where nothing can succeed, what refuses the method.

        Sessions need a token or a provider, which examples do not have.
        """
        if (refused := _REFUSED.get((self.method, self.path))) is not None:
            return refused
        statuses = self.about["responses"]
        return int(next((status for status in statuses if status.startswith("2")), _NO_METHOD))

    @property
    def can_succeed(self) -> bool:
        """Whether the method does anything there."""
        return self.success < 300

    def requests(self) -> Iterator[Sent]:
        """Yield the requests of the examples: reads also with each optional parameter alone."""
        inside = [p for p in self.parameters if p["in"] != "header"]
        optional = [p for p in inside if not p.get("required")]
        needed = {p["name"]: p["example"] for p in self.parameters if p.get("required")}
        each = [{}, *({p["name"]: p["example"]} for p in optional)]
        all_ = [{p["name"]: p["example"] for p in optional}]
        for chosen in each if self.method == "get" else all_:
            yield self._request(needed | chosen)

    def _request(self, values: dict[str, Any]) -> Sent:
        in_path = [p["name"] for p in self.parameters if p["in"] == "path"]
        filled = {name: quote(str(values[name]), safe="") for name in in_path}
        query = {name: value for name, value in values.items() if name not in in_path}
        example = self.body["example"] if self.body else None
        return Sent(self.method.upper(), self.path.format_map(filled), query, example)


def list_operations() -> list[Operation]:
    """Return all operations: reads first, then writes, then deletes, the deepest paths first."""
    found = [
        Operation(method, path, about)
        for path, methods in make_document()["paths"].items()
        for method, about in methods.items()
        if method in _METHODS
    ]
    return sorted(found, key=lambda o: (_METHODS.index(o.method), _depth(o)))


def _depth(operation: Operation) -> int:
    slashes = operation.path.count("/")
    return -slashes if operation.method == "delete" else slashes
