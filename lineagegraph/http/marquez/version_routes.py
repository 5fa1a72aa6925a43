"""Versions of datasets, and the answers about versions of jobs."""

from functools import partial

from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.explore import dataset_versions, job_versions
from lineagegraph.http.marquez.version_shapes import dataset_version_shape, job_version_shape
from lineagegraph.http.plumbing.parameters import path_uuid, read_cut
from lineagegraph.http.plumbing.raw_route import RawRoute, path_text
from lineagegraph.http.plumbing.reads import Reads, answer, page_answer

_DATASET = "/api/v1/namespaces/{namespace}/datasets/{dataset}/versions"


def dataset_version_routes(reads: Reads) -> list[RawRoute]:
    """Return the routes of versions of datasets."""
    return [
        RawRoute(_DATASET, partial(_list, reads), methods=["GET"]),
        RawRoute(f"{_DATASET}/{{version}}", partial(_one, reads), methods=["GET"]),
    ]


def list_job_versions(reads: Reads, request: Request, key: str) -> Response:
    """Answer with the versions of a job."""
    page = job_versions.page_job_versions(reads.graph, key, reads.inherit, read_cut(request))
    return page_answer("versions", page, job_version_shape)


def get_job_version(reads: Reads, request: Request, key: str) -> Response:
    """Answer with one version of a job."""
    version = path_uuid(request, "version").hex
    found = job_versions.read_job_version(reads.graph, key, version, reads.inherit)
    return answer(job_version_shape(found))


def _list(reads: Reads, request: Request) -> Response:
    cut = read_cut(request)
    page = dataset_versions.page_dataset_versions(reads.graph, *_name(request), reads.inherit, cut)
    return page_answer("versions", page, dataset_version_shape)


def _one(reads: Reads, request: Request) -> Response:
    name, version = _name(request), path_uuid(request, "version").hex
    found = dataset_versions.read_dataset_version(reads.graph, *name, version, reads.inherit)
    return answer(dataset_version_shape(found))


def _name(request: Request) -> tuple[str, str]:
    return path_text(request, "namespace"), path_text(request, "dataset")
