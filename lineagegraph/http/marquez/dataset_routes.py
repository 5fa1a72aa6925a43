"""The routes of datasets; PUT creates them as Marquez's own writers do."""

from collections.abc import Iterable
from functools import partial

from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.admin.hide import hide_dataset
from lineagegraph.admin.namespaces import attach_tags
from lineagegraph.http.access import caller_of
from lineagegraph.http.marquez.dataset_answers import DatasetAnswer, dataset_answer
from lineagegraph.http.marquez.paths import DATASET, DATASET_NAMESPACE, DATASETS, ONE_DATASET
from lineagegraph.http.marquez.writer_bodies import DatasetBody
from lineagegraph.http.marquez.writer_events import (
    Event,
    Take,
    dataset_event,
    run_event,
    said_dataset,
)
from lineagegraph.http.plumbing.bodies import body_of
from lineagegraph.http.plumbing.operations import (
    ApiParameter,
    Body,
    Name,
    Reply,
    delete,
    get,
    listing,
    put,
    routes_of,
    tagged,
)
from lineagegraph.http.plumbing.parameters import path_name, read_cut
from lineagegraph.http.plumbing.raw_route import RawRoute, path_text
from lineagegraph.http.plumbing.reads import Reads, answer, page_answer
from lineagegraph.model.names.keys import dataset_key, field_key
from lineagegraph.queries.jobs import one, pages
from lineagegraph.queries.jobs.sources import read_source

_LIST = listing("datasets", DatasetAnswer, "Datasets by name.")
_TAGGED = ApiParameter("tag", Name, "PII", "Only datasets with this tag.")
_OWNED = ApiParameter(
    "owner", Name, "team:growth", "Only datasets whose facet `ownership` names it."
)
OPERATIONS = tagged(
    "datasets",
    get(
        "/api/v1/datasets",
        "listAllDatasets",
        "The datasets of all namespaces, by name.",
        _LIST,
        _TAGGED,
        _OWNED,
    ),
    get(
        DATASETS,
        "listDatasets",
        "The datasets of a namespace, by name.",
        _LIST,
        DATASET_NAMESPACE,
        _TAGGED,
        _OWNED,
    ),
    get(
        ONE_DATASET,
        "getDataset",
        "One dataset.",
        Reply("A dataset.", DatasetAnswer),
        DATASET_NAMESPACE,
        DATASET,
    ),
    delete(
        ONE_DATASET,
        "deleteDataset",
        "Hide a dataset, until an event names it.",
        Reply("The dataset as it was.", DatasetAnswer),
        DATASET_NAMESPACE,
        DATASET,
    ),
    put(
        ONE_DATASET,
        "putDataset",
        "Create or change a dataset, as Marquez's clients did before OpenLineage.",
        Reply("The dataset.", DatasetAnswer),
        DATASET_NAMESPACE,
        DATASET,
        body=Body(
            DatasetBody,
            {
                "type": "DB_TABLE",
                "physicalName": "aggregate_experiment_metrics",
                "sourceName": "s3://experiments",
                "fields": [
                    {"name": "region", "type": "string"},
                    {"name": "clicks", "type": "bigint"},
                ],
            },
        ),
    ),
)


def dataset_routes(reads: Reads, take: Take) -> list[RawRoute]:
    """Return the routes; `take` writes events."""
    endpoints = {
        "listAllDatasets": partial(_list_all, reads),
        "listDatasets": partial(_list, reads),
        "getDataset": partial(_get, reads),
        "deleteDataset": partial(_hide, reads),
        "putDataset": partial(_put_dataset, reads, take),
    }
    return routes_of(OPERATIONS, endpoints, reads.most_bytes)


def _list_all(reads: Reads, request: Request) -> Response:
    return _page(reads, request, None)


def _list(reads: Reads, request: Request) -> Response:
    return _page(reads, request, path_text(request, "namespace"))


def _page(reads: Reads, request: Request, namespace: str | None) -> Response:
    page = pages.page_datasets(
        reads.graph,
        namespace,
        read_cut(request),
        tag=request.query_params.get("tag"),
        owner=request.query_params.get("owner"),
        latest_columns=reads.latest_columns,
    )
    return page_answer("datasets", page, dataset_answer)


def _get(reads: Reads, request: Request) -> Response:
    namespace, name = path_text(request, "namespace"), path_text(request, "dataset")
    found = one.read_dataset_detail(
        reads.graph, namespace, name, latest_columns=reads.latest_columns
    )
    return answer(dataset_answer(found))


def _hide(reads: Reads, request: Request) -> Response:
    namespace, name = path_text(request, "namespace"), path_text(request, "dataset")
    found = one.read_dataset_detail(reads.graph, namespace, name)
    hide_dataset(reads.graph, found.row.key)
    return answer(dataset_answer(found))


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
    found = one.read_dataset_detail(
        reads.graph, namespace, name, latest_columns=reads.latest_columns
    )
    return answer(dataset_answer(found))


def _event(reads: Reads, said: DatasetBody, dataset: Event) -> Event:
    if said.run_id is None:
        return dataset_event(dataset)
    run = str(said.run_id)
    return run_event(run, one.read_own_job(reads.graph, run), outputs=[dataset])


def _attach(reads: Reads, key: str, tags: Iterable[str] | None) -> None:
    attach_tags(reads.graph, key, sorted(set(tags or ())))
