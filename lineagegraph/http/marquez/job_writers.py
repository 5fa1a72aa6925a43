"""Jobs and their runs as Marquez's own writers create them."""

from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.admin.namespaces import attach_tags
from lineagegraph.errors import NotFound
from lineagegraph.http.access import caller_of
from lineagegraph.http.marquez.job_answers import job_answer
from lineagegraph.http.marquez.run_answers import run_answer
from lineagegraph.http.marquez.writer_bodies import JobBody, NameBody, RunBody
from lineagegraph.http.marquez.writer_events import (
    Take,
    job_event,
    list_named,
    new_run_facets,
    run_event,
)
from lineagegraph.http.plumbing.bodies import body_of
from lineagegraph.http.plumbing.parameters import path_name
from lineagegraph.http.plumbing.reads import Reads, answer
from lineagegraph.http.plumbing.refusal import RequestRefused
from lineagegraph.model.runs.ids import new_id
from lineagegraph.queries.find.resolve import resolve_job
from lineagegraph.queries.jobs import one, pages
from lineagegraph.store.jobs.details import Named


class JobWriters(NamedTuple):
    """Creates jobs and runs by events that `take` writes."""

    take: Take

    def make_job(self, reads: Reads, request: Request) -> Response:
        """Create a job under a name that none has."""
        namespace = path_name(request, "namespace")
        pages.check_namespace(reads.graph, namespace)
        job, body = Named(namespace, path_name(request, "job")), body_of(request, JobBody)
        self._tell(reads, request, job, body)
        return _answer_tagged(reads, _key_of(reads, job), body)

    def put_job(self, reads: Reads, request: Request, key: str) -> Response:
        """Change a job."""
        body = body_of(request, JobBody)
        self._tell(reads, request, _name_of(reads, key), body)
        return _answer_tagged(reads, key, body)

    def make_run(self, reads: Reads, request: Request, key: str) -> Response:
        """Create a run that is to start later: 201, or 409 if the id is taken."""
        body = body_of(request, RunBody)
        run = str(body.id or new_id())
        if body.id and _is_known(reads, run):
            raise RequestRefused(409, f"run {run!r} exists already", "id")
        event = run_event(run, _name_of(reads, key), facets=new_run_facets(body))
        self.take(caller_of(request), [event])
        created = answer(run_answer(one.read_run_detail(reads.graph, run, reads.inherit)), 201)
        created.headers["Location"] = f"/api/v1/jobs/runs/{run}"
        return created

    def _tell(self, reads: Reads, request: Request, job: Named, body: JobBody) -> None:
        for named in (*body.inputs, *body.outputs):
            _check_dataset(reads, named)
        events = [job_event(job, body)]
        if body.run_id:
            run = str(body.run_id)
            inputs, outputs = list_named(body.inputs), list_named(body.outputs)
            own = one.read_own_job(reads.graph, run)
            events.append(run_event(run, own, inputs=inputs, outputs=outputs))
        self.take(caller_of(request), events)


def _answer_tagged(reads: Reads, key: str, body: JobBody) -> Response:
    attach_tags(reads.graph, key, sorted(set(body.tags or ())))
    return answer(job_answer(one.read_job_detail(reads.graph, key, reads.inherit)))


def _name_of(reads: Reads, key: str) -> Named:
    """Return the name that an event without a parent gives a job: its own namespace and FQN."""
    row = one.read_job_detail(reads.graph, key, reads.inherit).row
    return Named(row.namespace, row.name)


def _key_of(reads: Reads, job: Named) -> str:
    found = resolve_job(reads.graph, job.namespace, job.name, inherit=reads.inherit)
    return found.found[0].key


def _check_dataset(reads: Reads, named: NameBody) -> None:
    one.read_dataset_detail(reads.graph, named.namespace, named.name)


def _is_known(reads: Reads, run: str) -> bool:
    try:
        one.read_own_job(reads.graph, run)
    except NotFound:
        return False
    return True
