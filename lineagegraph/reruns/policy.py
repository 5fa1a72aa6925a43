"""The policy of a rerun: of the request, else of the pipeline, else of the installation."""

from lineagegraph.errors import RerunAsks, RerunRefused
from lineagegraph.graph import Transaction
from lineagegraph.model.pipelines.definition import Pipeline
from lineagegraph.model.runs.rerun import CHOICES, PolicyKind, RerunPolicy, read_policy
from lineagegraph.reruns.original import pipeline_of
from lineagegraph.store.runs.reruns import Original, VersionRow, list_versions


def resolve_policy(asked: str | None, pipeline: Pipeline | None, installation: str) -> RerunPolicy:
    """Return the policy of the first level that names one; `ask` raises `RerunAsks`."""
    stated = pipeline.rerun if pipeline else None
    try:
        policy = read_policy(asked or stated or installation)
    except ValueError as error:
        raise RerunRefused(str(error)) from None
    if policy.kind is PolicyKind.ASK:
        raise RerunAsks("choose the code for the rerun by a policy: " + ", ".join(CHOICES), CHOICES)
    return policy


def find_version(tx: Transaction, original: Original, policy: RerunPolicy) -> VersionRow | None:
    """Return the version that a rerun runs; None for as it was with a deleted version.

    Raises `RerunRefused` if there is no such version, or the prefix is ambiguous.
    """
    wanted = {PolicyKind.LATEST: original.current_version, PolicyKind.AS_WAS: original.version}
    prefix = wanted.get(policy.kind, policy.version)
    found = list_versions(tx, job_key=original.job_key or "", prefix=prefix) if prefix else []
    if policy.kind is PolicyKind.AS_WAS:
        return found[0] if found else _own(original)
    if len(found) == 1:
        return found[0]
    if len(found) > 1:
        raise RerunRefused(f"several versions of {original.job} start with {prefix}: give more")
    if policy.kind is PolicyKind.LATEST:
        raise RerunRefused(f"{original.job} has no definition now: sync it, or rerun as_was")
    raise RerunRefused(
        f"{original.job} has no version {prefix}: `lineagegraph versions {original.job}` lists them"
    )


def today(tx: Transaction, original: Original) -> Pipeline | None:
    """Return the pipeline as it is stated today, or else as it was."""
    current = original.current_version
    found = list_versions(tx, job_key=original.job_key or "", prefix=current) if current else []
    return found[0].pipeline() if found else pipeline_of(original)


def _own(original: Original) -> VersionRow | None:
    """A job that moved in the hierarchy has another key; the run still has its version."""
    if original.version is None or original.definition is None:
        return None
    return VersionRow(
        original.version,
        original.definition,
        original.code_hash or "",
        original.source_sha256,
        original.task_code,
        original.root,
    )
