"""The routes of versions of datasets and of jobs."""

from functools import partial
from uuid import UUID

from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.http.marquez.job_route import job_operation, job_routes_of
from lineagegraph.http.marquez.paths import DATASET, DATASET_NAMESPACE, ONE_DATASET
from lineagegraph.http.marquez.version_answers import (
    DatasetVersionAnswer,
    JobVersionAnswer,
    dataset_version_answer,
    job_version_answer,
)
from lineagegraph.http.plumbing.operations import Reply, get, in_path, listing, routes_of, tagged
from lineagegraph.http.plumbing.parameters import path_uuid, read_cut
from lineagegraph.http.plumbing.raw_route import RawRoute, path_text
from lineagegraph.http.plumbing.reads import Reads, answer, page_answer
from lineagegraph.queries.lineage import dataset_versions
from lineagegraph.queries.versions import job_versions

_OF_DATASETS = tagged(
    "datasets",
    get(
        f"{ONE_DATASET}/versions",
        "listDatasetVersions",
        "The versions of a dataset, the newest first.",
        listing("versions", DatasetVersionAnswer, "Versions of the dataset."),
        DATASET_NAMESPACE,
        DATASET,
    ),
    get(
        f"{ONE_DATASET}/versions/{{version}}",
        "getDatasetVersion",
        "One version of a dataset.",
        Reply("The version.", DatasetVersionAnswer),
        DATASET_NAMESPACE,
        DATASET,
        in_path(
            "version", UUID, "f8b816c8-3b76-6aac-ffdb-51336bbdaadb", "The UUID of the version."
        ),
    ),
)
_OF_JOBS = tagged(
    "jobs",
    job_operation(
        get,
        "/versions",
        "listJobVersions",
        "The versions of a job, the newest first.",
        listing("versions", JobVersionAnswer, "Versions of the job."),
    ),
    job_operation(
        get,
        "/versions/{version}",
        "getJobVersion",
        "One version of a job.",
        Reply("The version.", JobVersionAnswer),
        in_path(
            "version", UUID, "a3ca575e-b620-52bf-7726-3f2cf0dd1b0e", "The UUID of the version."
        ),
    ),
)
OPERATIONS = (*_OF_DATASETS, *_OF_JOBS)


def version_routes(reads: Reads) -> list[RawRoute]:
    """Return the routes."""
    endpoints = {
        "listDatasetVersions": partial(_list_of_dataset, reads),
        "getDatasetVersion": partial(_get_of_dataset, reads),
    }
    answers = {"listJobVersions": _list_of_job, "getJobVersion": _get_of_job}
    return [*routes_of(_OF_DATASETS, endpoints), *job_routes_of(reads, _OF_JOBS, answers)]


def _list_of_job(reads: Reads, request: Request, key: str) -> Response:
    page = job_versions.page_job_versions(reads.graph, key, reads.inherit, read_cut(request))
    return page_answer("versions", page, job_version_answer)


def _get_of_job(reads: Reads, request: Request, key: str) -> Response:
    version = path_uuid(request, "version").hex
    found = job_versions.read_job_version(reads.graph, key, version, reads.inherit)
    return answer(job_version_answer(found))


def _list_of_dataset(reads: Reads, request: Request) -> Response:
    cut = read_cut(request)
    page = dataset_versions.page_dataset_versions(reads.graph, *_name(request), reads.inherit, cut)
    return page_answer("versions", page, dataset_version_answer)


def _get_of_dataset(reads: Reads, request: Request) -> Response:
    name, version = _name(request), path_uuid(request, "version").hex
    found = dataset_versions.read_dataset_version(reads.graph, *name, version, reads.inherit)
    return answer(dataset_version_answer(found))


def _name(request: Request) -> tuple[str, str]:
    return path_text(request, "namespace"), path_text(request, "dataset")
