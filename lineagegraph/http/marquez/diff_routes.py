"""The routes that compare two runs, or two versions of a job."""

from functools import partial
from uuid import UUID

from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.http.marquez.diff_answers import (
    RunDiffAnswer,
    VersionDiffAnswer,
    run_diff_answer,
    version_diff_answer,
)
from lineagegraph.http.marquez.job_route import job_operation, job_routes_of
from lineagegraph.http.marquez.paths import ONE_RUN, PIPELINE, RUN_ID
from lineagegraph.http.plumbing.operations import Reply, get, in_path, routes_of, tagged
from lineagegraph.http.plumbing.parameters import path_uuid, run_id
from lineagegraph.http.plumbing.raw_route import RawRoute
from lineagegraph.http.plumbing.reads import Reads, answer
from lineagegraph.queries.versions.find_version import find_version_of
from lineagegraph.queries.versions.run_diff import diff_runs_whole
from lineagegraph.queries.versions.version_diff import diff_versions
from lineagegraph.settings import Settings

_VERSION = "abababab-abab-abab-abab-abababababab"
_RUNS = tagged(
    "runs",
    get(
        f"{ONE_RUN}/diff/{{other}}",
        "diffRuns",
        "The differences between two runs.",
        Reply("The differences.", RunDiffAnswer),
        in_path("id", UUID, "c6c66a91-0e8a-591d-a5c5-c497c114e70c", RUN_ID.about),
        in_path("other", UUID, RUN_ID.example, "The id of the run to compare it with."),
    ),
)
_VERSIONS = tagged(
    "jobs",
    job_operation(
        get,
        "/versions/{version}/diff/{other}",
        "diffJobVersions",
        "The differences between two versions of a pipeline.",
        Reply(
            "The differences: tasks, order, parameters, settings, triggers, and lines of code.",
            VersionDiffAnswer,
        ),
        *PIPELINE,
        in_path("version", UUID, _VERSION, "The UUID of a version."),
        in_path("other", UUID, _VERSION, "The UUID of the version to compare it with."),
    ),
)
OPERATIONS = (*_RUNS, *_VERSIONS)


def diff_routes(reads: Reads, settings: Settings) -> list[RawRoute]:
    """Return the routes."""
    return [
        *routes_of(_RUNS, {"diffRuns": partial(_diff_runs, reads, settings)}),
        *job_routes_of(reads, _VERSIONS, {"diffJobVersions": partial(_diff_versions, settings)}),
    ]


def _diff_runs(reads: Reads, settings: Settings, request: Request) -> Response:
    before, after = run_id(request), str(path_uuid(request, "other"))
    return answer(run_diff_answer(diff_runs_whole(reads.graph, settings, before, after)))


def _diff_versions(settings: Settings, reads: Reads, request: Request, key: str) -> Response:
    before, after = (
        find_version_of(reads.graph, key, path_uuid(request, name).hex)
        for name in ("version", "other")
    )
    return answer(version_diff_answer(diff_versions(reads.graph, settings, before, after)))
