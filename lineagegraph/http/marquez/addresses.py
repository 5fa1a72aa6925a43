"""Where jobs are served, and what is answered under their other names."""

from urllib.parse import quote, urlencode
from uuid import UUID

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from lineagegraph.queries.find.resolve import Address, Resolution

_NO_STORE = {"Cache-Control": "no-store"}
READING = ("GET", "HEAD")


def job_path(job: Address, tail: str, query: str) -> str:
    """Return the path and query of a job, or of what is below it; a twin is told by its UUID."""
    namespace, name = quote(job.namespace, safe=""), quote(job.name, safe="")
    if job.has_twin and not _has_uuid(query):
        query = "&".join(filter(None, (query, f"uuid={UUID(job.key)}")))
    path = f"/api/v1/namespaces/{namespace}/jobs/{name}{tail}"
    return f"{path}?{query}" if query else path


def node_path(request: Request, job: Address) -> str:
    """Return the path and query of a request with another job as its `nodeId`."""
    node = f"job:{job.namespace}:{job.name}" + (f"#{UUID(job.key)}" if job.has_twin else "")
    rest = [(name, text) for name, text in request.query_params.multi_items() if name != "nodeId"]
    return f"{request.url.path}?{urlencode([('nodeId', node), *rest])}"


def elsewhere(request: Request, tail: str, resolution: Resolution) -> Response:
    """Answer where a job is: 301 for reads and 308 for writes, or 300 where several are meant."""
    query = request.scope["query_string"].decode("latin-1")
    paths = [job_path(job, tail, query) for job in resolution.found]
    if len(paths) > 1:
        return choices(request, paths)
    status = 301 if request.method in READING else 308
    return Response(status_code=status, headers={"Location": paths[0], **_NO_STORE})


def choices(request: Request, paths: list[str]) -> Response:
    """Answer 300 with the URLs that may be meant."""
    base = str(request.base_url).rstrip("/")
    return JSONResponse({"jobs": [base + path for path in paths]}, 300, _NO_STORE)


def _has_uuid(query: str) -> bool:
    return any(part.partition("=")[0] == "uuid" for part in query.split("&"))
