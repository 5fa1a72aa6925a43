"""The addresses of jobs, and answers under their other names."""

from urllib.parse import quote, urlencode
from uuid import UUID

from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.http.plumbing.answers import AnswerStruct
from lineagegraph.http.plumbing.operations import Header, Reply
from lineagegraph.http.plumbing.reads import answer
from lineagegraph.queries.find.resolve import Address, Resolution

NO_STORE = Header({"const": "no-store"})
READING = ("GET", "HEAD")
_UNSTORED = {"Cache-Control": "no-store"}


class ChoicesAnswer(AnswerStruct):
    """The URLs of the jobs that may be meant; each answers 200."""

    jobs: list[str]


CHOICES = Reply(
    "Several jobs may be meant.",
    ChoicesAnswer,
    300,
    headers={"Cache-Control": NO_STORE},
    shared="Choices",
)


def job_path(job: Address, tail: str, query: str) -> str:
    """Return the path and query of a job, or of a path below it; a twin is named by its UUID."""
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
    """Answer with the address of a job: 301 for reads, 308 for writes, 300 for several jobs."""
    query = request.scope["query_string"].decode("latin-1")
    paths = [job_path(job, tail, query) for job in resolution.found]
    if len(paths) > 1:
        return choices(request, paths)
    status = 301 if request.method in READING else 308
    return Response(status_code=status, headers={"Location": paths[0], **_UNSTORED})


def choices(request: Request, paths: list[str]) -> Response:
    """Answer 300 with the URLs that may be meant."""
    base = str(request.base_url).rstrip("/")
    answered = answer(ChoicesAnswer([base + path for path in paths]), 300)
    answered.headers.update(_UNSTORED)
    return answered


def _has_uuid(query: str) -> bool:
    return any(part.partition("=")[0] == "uuid" for part in query.split("&"))
