"""A dataset as Marquez's own writers create it."""

from collections.abc import Iterable
from functools import partial

from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.curation.tags import attach_tags
from lineagegraph.explore import one, pages
from lineagegraph.explore.sources import read_source
from lineagegraph.http.access import caller_of
from lineagegraph.http.marquez.dataset_shapes import dataset_shape
from lineagegraph.http.marquez.namespace_routes import DATASET
from lineagegraph.http.marquez.writer_bodies import DatasetBody
from lineagegraph.http.marquez.writer_events import (
    Event,
    Take,
    dataset_event,
    run_event,
    said_dataset,
)
from lineagegraph.http.plumbing.bodies import body_of, with_body
from lineagegraph.http.plumbing.parameters import path_name
from lineagegraph.http.plumbing.raw_route import RawRoute
from lineagegraph.http.plumbing.reads import Reads, answer
from lineagegraph.model.names import dataset_key, field_key


def dataset_writer(reads: Reads, take: Take) -> RawRoute:
    """Return the route that creates datasets, or says anew what they are."""
    return RawRoute(
        DATASET, with_body(reads.most_bytes, partial(_put_dataset, reads, take)), methods=["PUT"]
    )


def _put_dataset(reads: Reads, take: Take, request: Request) -> Response:
    namespace, name = path_name(request, "namespace"), path_name(request, "dataset")
    said = body_of(request, DatasetBody)
    pages.check_namespace(reads.graph, namespace)
    source = read_source(reads.graph, said.source_name)
    dataset = said_dataset(namespace, name, said, source.connection_url)
    take(caller_of(request), [_event(reads, said, dataset)])
    key = dataset_key(namespace, name)
    _attach(reads, key, said.tags)
    for field in said.fields or ():
        _attach(reads, field_key(key, field.name), field.tags)
    return answer(dataset_shape(one.read_dataset_detail(reads.graph, namespace, name)))


def _event(reads: Reads, said: DatasetBody, dataset: Event) -> Event:
    if said.run_id is None:
        return dataset_event(dataset)
    run = str(said.run_id)
    return run_event(run, one.read_own_job(reads.graph, run), outputs=[dataset])


def _attach(reads: Reads, key: str, tags: Iterable[str] | None) -> None:
    attach_tags(reads.graph, key, sorted(set(tags or ())))
