"""A batch as a JSON file states it."""

from pathlib import Path

from lineagegraph.authoring.batch_files.clusters import read_clusters, read_spark
from lineagegraph.authoring.batch_files.node import plain, text, texts
from lineagegraph.authoring.batch_files.parameters import read_parameters
from lineagegraph.authoring.batch_files.scanner import scan
from lineagegraph.authoring.batch_files.starts import read_starts
from lineagegraph.authoring.batch_files.task import read_tasks
from lineagegraph.authoring.batch_files.terms import HOURS, own_terms
from lineagegraph.authoring.names import checked_name
from lineagegraph.authoring.parents import BatchTerms
from lineagegraph.authoring.pipelines import PipelineHandle, state_pipeline
from lineagegraph.authoring.terms import checked_zone

_OWN = ("freshness", HOURS)
BATCH = (
    *("batch", "tasks", "namespace", "description", "params", "partitionBy", "concurrency"),
    *("spark", "cluster", "clusters", "schedule", "trigger", "zone", "startDate", "endDate"),
    *("rerun", *_OWN),
)


def state_batch(file: Path) -> PipelineHandle:
    """State the batch that a file has; raise `DefinitionError` with the place of what is wrong."""
    top = scan(file.read_bytes(), str(file))
    members = top.members(BATCH)
    for key in ("batch", "tasks"):
        if key not in members:
            raise top.fault(f"a batch file has a key {key!r}, which is missing here")
    own = {key: members[key] for key in _OWN if key in members}
    zone = checked_zone(text(members, "zone"), members.get("zone", top).origin)
    return state_pipeline(
        top.located(members),
        checked_name(members["batch"].text(), "batch", members["batch"].origin),
        tasks=read_tasks(members["tasks"]),
        params=read_parameters(members),
        partition_by=texts(members, "partitionBy"),
        triggers=read_starts(members, zone),
        spark=read_spark(members),
        namespace=text(members, "namespace"),
        concurrency=plain(members, "concurrency", 4),
        description=text(members, "description"),
        start_date=text(members, "startDate"),
        end_date=text(members, "endDate"),
        rerun=text(members, "rerun"),
        batch=BatchTerms(own_terms(own), zone, read_clusters(members)),
    )
