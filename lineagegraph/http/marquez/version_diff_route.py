"""What is different between two versions of a job."""

from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.explore.code_diff import FileDiff
from lineagegraph.explore.find_version import find_version_of
from lineagegraph.explore.version_diff import ComparedVersion, VersionDiff, diff_versions
from lineagegraph.http.marquez.job_route import job_route
from lineagegraph.http.plumbing.parameters import path_uuid
from lineagegraph.http.plumbing.raw_route import RawRoute
from lineagegraph.http.plumbing.reads import Reads, answer
from lineagegraph.model.ids import uuid_of
from lineagegraph.settings import Settings


def version_diff_route(reads: Reads, settings: Settings) -> RawRoute:
    """Return the route that compares two versions of a job."""
    tail = "/versions/{version}/diff/{other}"
    return job_route(reads, tail, {"GET": partial(_diff, settings)})


def _diff(settings: Settings, reads: Reads, request: Request, key: str) -> Response:
    before, after = (
        find_version_of(reads.graph, key, path_uuid(request, name).hex)
        for name in ("version", "other")
    )
    return answer(version_diff_shape(diff_versions(reads.graph, settings, before, after)))


def version_diff_shape(found: VersionDiff) -> dict[str, Any]:
    """Return what is different between two versions."""
    stated = found.definition
    return {
        "before": _version(found.before),
        "after": _version(found.after),
        "tasks": stated.tasks,
        "edges": [
            {"before": edge.first, "after": edge.then, "change": edge.change}
            for edge in stated.edges
        ],
        "parameters": stated.parameters,
        "settings": stated.settings,
        "triggers": stated.triggers,
        "files": [_file(file) for file in found.files],
        "missing": found.missing,
    }


def _version(one: ComparedVersion) -> dict[str, Any]:
    return {
        "version": uuid_of(one.version),
        "hash": one.version,
        "job": {"namespace": one.namespace, "name": one.job},
        "createdAt": one.created_at,
        "file": one.file,
    }


def _file(file: FileDiff) -> dict[str, Any]:
    return {
        "path": file.path,
        "change": file.change,
        "before": {"sha256": file.before, "size": file.before_size} if file.before else None,
        "after": {"sha256": file.after, "size": file.after_size} if file.after else None,
        "lines": file.lines,
    }
