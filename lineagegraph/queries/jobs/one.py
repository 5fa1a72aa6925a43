"""One job, run or dataset with its details."""

from functools import partial

from lineagegraph.errors import NotFound
from lineagegraph.graph import Graph, Transaction
from lineagegraph.model.names.keys import dataset_key
from lineagegraph.queries.datasets.dataset_details import DatasetDetail, describe_with_origins
from lineagegraph.queries.jobs.job_details import JobDetail, describe_job
from lineagegraph.queries.runs.run_details import (
    Facets,
    RunDetail,
    describe_runs,
    facet_map,
    list_runs,
)
from lineagegraph.store.jobs.details import Named, get_own_job, list_run_facets


def read_job_detail(graph: Graph, key: str, inherit: bool) -> JobDetail:
    """Return the job of a key."""
    return graph.read(describe_job, key, inherit)


def read_run_detail(graph: Graph, run: str, inherit: bool) -> RunDetail:
    """Return the run of an id."""
    found = graph.read(describe_runs, [run], inherit)
    if not found:
        raise NotFound(f"no run {run!r}")
    return found[0]


def read_run_namespace(graph: Graph, run: str, inherit: bool) -> str:
    """Return the namespace that a run's job is served in."""
    found = graph.read(list_runs, [run], inherit)
    if not found:
        raise NotFound(f"no run {run!r}")
    return found[0].namespace


def read_own_job(graph: Graph, run: str) -> Named:
    """Return the namespace and name that a run's producer gave its job."""
    found = graph.read(get_own_job, id=run)
    if not found:
        raise NotFound(f"no run {run!r}")
    return found


def read_run_facets(graph: Graph, run: str, scope: str) -> Facets:
    """Return the facets of a run (scope `run`), or the job facets it reported (scope `job`)."""
    found = read_run_detail(graph, run, inherit=True)
    if scope == "run":
        return found.facets
    return facet_map(graph.read(list_run_facets, ids=[run], scope=scope))


def read_dataset_detail(
    graph: Graph, namespace: str, name: str, *, latest_columns: bool = False
) -> DatasetDetail:
    """Return a dataset; one with several names has the name that lineage shows."""
    found = graph.read(_describe_by_name, dataset_key(namespace, name), latest_columns)
    if not found or found.row.hidden_at:
        raise NotFound(f"no dataset {name!r} in namespace {namespace!r}")
    return found


def _describe_by_name(tx: Transaction, key: str, latest_columns: bool) -> DatasetDetail | None:
    describe = partial(describe_with_origins, tx, latest_columns=latest_columns)
    found = next(iter(describe([key])), None)
    if not found or found.row.hidden_at or found.row.same_as in (None, key):
        return found
    first = next(iter(describe([found.row.same_as])), found)
    return found if first.row.hidden_at else first
