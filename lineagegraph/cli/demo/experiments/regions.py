"""Progress of each region: the latest run of each of its partitions."""

from typing import NamedTuple

from lineagegraph.graph import Graph
from lineagegraph.model.typed import decode_json
from lineagegraph.queries.find.find import find_job
from lineagegraph.queries.jobs.pages import Cut, page_partitions
from lineagegraph.store.jobs.details import RunDetailRow

SHARED = "experiments"
HOURLY, DAILY = "hourly_experiment_metrics", "daily_experiment_metrics"


class LatestPartitionRun(NamedTuple):
    """The latest run for an hour or a day of a region."""

    region: str
    hour: str
    run: RunDetailRow


def read_latest(graph: Graph, job: str, inherit: bool) -> list[LatestPartitionRun]:
    """Return the latest runs of a workflow, by region and hour."""
    found = page_partitions(graph, find_job(graph, job).key, inherit, Cut(limit=1000)).items
    said = [(decode_json(one.text, into=dict[str, str]), one.run.row) for one in found]
    return [LatestPartitionRun(where["region"], where.get("hour", ""), run) for where, run in said]
