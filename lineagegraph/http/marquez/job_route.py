"""Routes below the path of one job, which show the way from all its other names."""

from collections.abc import Callable, Mapping

from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.errors import NotFound
from lineagegraph.explore.resolve import resolve_job
from lineagegraph.http.marquez.addresses import READING, elsewhere
from lineagegraph.http.plumbing.bodies import with_body
from lineagegraph.http.plumbing.parameters import job_uuid
from lineagegraph.http.plumbing.raw_route import RawRoute, path_text
from lineagegraph.http.plumbing.reads import Reads
from lineagegraph.http.plumbing.refusal import RequestRefused

JOBS = "/api/v1/namespaces/{namespace}/jobs"
_METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
AnswerJob = Callable[[Reads, Request, str], Response]


def job_route(
    reads: Reads,
    tail: str,
    answers: Mapping[str, AnswerJob],
    make: Callable[[Reads, Request], Response] | None = None,
) -> RawRoute:
    """Return a route that answers under a job's address, by method, and 405 to other methods.

    `make` answers a PUT under a name that no job has.
    """

    def work(request: Request) -> Response:
        namespace, name = path_text(request, "namespace"), path_text(request, "job")
        chosen = job_uuid(request)
        try:
            found = resolve_job(reads.graph, namespace, name, inherit=reads.inherit, key=chosen)
        except NotFound:
            if make and request.method == "PUT":
                return make(reads, request)
            raise
        if not found.is_exact:
            return elsewhere(request, tail.format(**request.path_params), found)
        method = "GET" if request.method in READING else request.method
        if method not in answers:
            said = f"{request.method} is not for this path"
            raise RequestRefused(405, said, headers={"Allow": _allowed(answers)})
        return answers[method](reads, request, found.found[0].key)

    return RawRoute(
        f"{JOBS}/{{job}}{tail}", with_body(reads.most_bytes, work), methods=list(_METHODS)
    )


def _allowed(answers: Mapping[str, AnswerJob]) -> str:
    reading = READING if "GET" in answers else ()
    return ", ".join([*reading, *(method for method in answers if method != "GET")])
