"""Operations and routes below the path of one job, which redirect from all its other names."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.errors import NotFound
from lineagegraph.http.marquez.addresses import CHOICES, NO_STORE, READING, elsewhere
from lineagegraph.http.marquez.paths import JOB, JOB_UUID, JOBS, NAMESPACE
from lineagegraph.http.plumbing.bodies import with_body
from lineagegraph.http.plumbing.operations import (
    ApiParameter,
    Header,
    Operation,
    Reply,
    error_reply,
    get,
    known_parameters,
    operation,
)
from lineagegraph.http.plumbing.parameters import job_uuid
from lineagegraph.http.plumbing.raw_route import RawRoute, check_query, path_text
from lineagegraph.http.plumbing.reads import Reads
from lineagegraph.http.plumbing.refusal import RequestRefused
from lineagegraph.queries.find.resolve import resolve_job

ONE_JOB = f"{JOBS}/{{job}}"
_METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
AnswerJob = Callable[[Reads, Request, str], Response]
_TEXT = {"type": "string"}
_LOCATION = {
    "Location": Header(_TEXT, "The path and query of the one job that is meant."),
    "Cache-Control": NO_STORE,
}
_MOVED = Reply(
    "The job is served under another namespace or name.",
    status=301,
    headers=_LOCATION,
    shared="Moved",
)
_MOVED_FOR_WRITES = Reply(
    "The job is served under another namespace or name; send the same there.",
    status=308,
    headers=_LOCATION,
    shared="MovedForWrites",
)
_NOT_ALLOWED = error_reply(
    405, "NotAllowed", "This path does not take that method.", Allow=Header(_TEXT)
)


def job_operation(
    make: Callable[..., Operation],
    tail: str,
    name: str,
    summary: str,
    reply: Reply,
    *parameters: ApiParameter,
    also: tuple[Reply, ...] = (),
    **more: Any,
) -> Operation:
    """Return an operation below a job's path; `make` is that of its method."""
    moved = _MOVED if make is get else _MOVED_FOR_WRITES
    given = {one.name for one in parameters}
    own = [one for one in (NAMESPACE, JOB, JOB_UUID) if one.name not in given]
    found = (*own, *parameters)
    return make(
        f"{ONE_JOB}{tail}", name, summary, reply, *found, also=(*also, CHOICES, moved), **more
    )


def job_routes_of(
    reads: Reads,
    operations: Sequence[Operation],
    answers: Mapping[str, AnswerJob],
    make: Callable[[Reads, Request], Response] | None = None,
) -> list[RawRoute]:
    """Return the routes of operations on jobs; other methods of their paths get 405.

    `answers` go by operation id. `make` answers a PUT under a name that no job has.
    """
    return [
        _job_route(
            reads,
            path.removeprefix(ONE_JOB),
            {one.method: answers[one.name] for one in found},
            known_parameters(*found),
            make,
        )
        for path, found in _by_path(operations)
    ]


def refused_methods(operations: Sequence[Operation]) -> Iterator[Operation]:
    """Yield the operations that answer 405, or redirect to the job, for each path."""
    for path, found in _by_path(operations):
        for method in _METHODS:
            if method not in {one.method for one in found}:
                yield _refused(path, method, found[0])


def _refused(path: str, method: str, beside: Operation) -> Operation:
    name = beside.name
    if beside.method != "GET":
        name = name.removeprefix(beside.method.lower())
    return operation(
        method,
        path,
        method.lower() + name[0].upper() + name[1:],
        "Only a redirect from other names of the job.",
        _NOT_ALLOWED,
        *(one for one in beside.parameters if one.place == "path" or one.name == JOB_UUID.name),
        also=(CHOICES, _MOVED if method == "GET" else _MOVED_FOR_WRITES),
        tag=beside.tag,
    )


def _by_path(operations: Sequence[Operation]) -> Iterator[tuple[str, list[Operation]]]:
    path_of = attrgetter("path")
    for path, found in groupby(sorted(operations, key=path_of), key=path_of):
        yield path, list(found)


def _job_route(
    reads: Reads,
    tail: str,
    answers: Mapping[str, AnswerJob],
    known: Mapping[str, Sequence[str]],
    make: Callable[[Reads, Request], Response] | None,
) -> RawRoute:
    def work(request: Request) -> Response:
        namespace, name = path_text(request, "namespace"), path_text(request, "job")
        chosen = job_uuid(request)
        try:
            found = resolve_job(reads.graph, namespace, name, inherit=reads.inherit, key=chosen)
        except NotFound:
            if make and request.method == "PUT" and not tail:
                return make(reads, request)
            raise
        if not found.is_exact:
            return elsewhere(request, tail.format(**request.path_params), found)
        method = "GET" if request.method in READING else request.method
        if method not in answers:
            error = f"{request.method} is not allowed on this path"
            raise RequestRefused(405, error, headers={"Allow": _allowed(answers)})
        check_query(request, known[method])
        return answers[method](reads, request, found.found[0].key)

    endpoint = with_body(reads.most_bytes, work)
    # A redirect keeps any query: parameters are checked at the job's address.
    return RawRoute(f"{ONE_JOB}{tail}", endpoint, methods=_METHODS, known={})


def _allowed(answers: Mapping[str, AnswerJob]) -> str:
    reading = READING if "GET" in answers else ()
    writing = [method for method in _METHODS if method in answers and method != "GET"]
    return ", ".join([*reading, *writing])
