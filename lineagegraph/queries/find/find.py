"""Lookup of the one job, dataset, column or run that a typed text means."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from difflib import get_close_matches
from typing import NoReturn, TypeVar

import msgspec

from lineagegraph.errors import Ambiguous, LineagegraphError, NotFound
from lineagegraph.graph import Graph
from lineagegraph.store.jobs.names import (
    NamedDataset,
    NamedJob,
    NamedRun,
    get_deletion,
    get_job_deletion,
    list_dataset_names,
    list_datasets_named,
    list_job_names,
    list_jobs_named,
    list_runs_named,
)
from lineagegraph.store.lineage.lineage import PlacedColumn, list_columns_of

NamedNode = NamedJob | NamedDataset
N = TypeVar("N", NamedJob, NamedDataset, NamedNode)
_NAMES = 20_000
_LISTED = 8
_END = re.compile(r"[0-9a-f]{8,12}")

_ADVICE = {
    "job": "`lineagegraph jobs` lists the jobs",
    "dataset": "`lineagegraph datasets` lists the datasets",
    "job or dataset": "`lineagegraph search TEXT` finds them by a part of a name",
}


class NodeMatch(msgspec.Struct, frozen=True):
    """A job or dataset, or one column of a dataset."""

    node: NamedNode
    column: str | None = None


def find_job(graph: Graph, name: str, namespace: str | None = None) -> NamedJob:
    """Return the job with that full, own, simple or earlier name, or a unique end of a full name.

    `namespace` is the job's own or that of one of its ancestors.
    """
    found = _best(_jobs(graph, name, namespace), name)
    return found or _missing(
        graph, "job", name, namespace, graph.read(list_job_names, limit=_NAMES)
    )


def find_dataset(graph: Graph, name: str, namespace: str | None = None) -> NamedDataset:
    """Return the dataset with that name, or a unique end of a name."""
    found = _best(_datasets(graph, name, namespace), name)
    return found or _missing(
        graph, "dataset", name, namespace, graph.read(list_dataset_names, limit=_NAMES)
    )


def find_run(graph: Graph, run: str) -> NamedRun:
    """Return the run with that id, or a unique part of one, as `find_runs` takes it."""
    runs = find_runs(graph, run)
    if len(runs) > 1 and runs[0].id != run.lower():
        listed = ", ".join(found.id for found in runs)
        raise Ambiguous(f"{run!r} matches several runs ({listed}): give more of the id")
    if not runs:
        raise NotFound(f"no run {run!r}: `lineagegraph runs JOB` lists a job's runs")
    return runs[0]


def find_runs(graph: Graph, part: str) -> list[NamedRun]:
    """Return up to six runs whose id starts with a text, or ends with 8 to 12 characters.

    Ids begin with their time, so those of one minute have the same first 8 characters.
    """
    text = part.lower()
    end = text if _END.fullmatch(text) else None
    return graph.read(list_runs_named, start=text, end=end) if text else []


def find_node(graph: Graph, node: str) -> NamedNode:
    """Return the node of `job:NAMESPACE:NAME`, `dataset:NAMESPACE:NAME` or a bare name."""
    kind, _, rest = node.partition(":")
    if kind == "job" and rest:
        job = _best([hit for at, name in _splits(rest) for hit in _jobs(graph, name, at)], node)
        return job or find_job(graph, rest)
    if kind == "dataset" and rest:
        hits = [hit for at, name in _splits(rest) for hit in _datasets(graph, name, at)]
        return _best(hits, node) or find_dataset(graph, rest)
    both: list[NamedNode] = [*_jobs(graph, node, None), *_datasets(graph, node, None)]
    found = _best(both, node)
    return found or _missing(graph, "job or dataset", node, None, _all_names(graph))


def find_node_or_column(graph: Graph, text: str) -> NodeMatch:
    """Return the node of a text, or the column of `NODE#COLUMN`; a # may be in names too."""
    places = [match.start() for match in re.finditer("#", text)][::-1]
    splits = [(text[:at], text[at + 1 :]) for at in places if at]
    if not splits:
        return NodeMatch(find_node(graph, text))
    try:
        return NodeMatch(find_node(graph, text))
    except NotFound:
        return _find_split(graph, splits)


def _find_split(graph: Graph, splits: list[tuple[str, str]]) -> NodeMatch:
    """Return the first of several nodes that has its column, or else the first that there is."""
    found: list[NodeMatch] = []
    fault: LineagegraphError | None = None
    for name, column in splits:
        try:
            match = NodeMatch(find_node(graph, name), column)
        except (NotFound, Ambiguous) as error:
            fault = fault or error
            continue
        if len(splits) == 1 or _column_of(graph, match):
            return match
        found.append(match)
    if fault is not None and not found:
        raise fault
    return found[0]


def find_column(graph: Graph, text: str) -> str:
    """Return the key of the column `DATASET#COLUMN`, ignoring case if it is unique so."""
    return find_placed_column(graph, text).key


def find_placed_column(graph: Graph, text: str, *, with_tagged: bool = False) -> PlacedColumn:
    """Return the column `DATASET#COLUMN`; `with_tagged` also a removed one that has tags."""
    column = _column_of(graph, find_node_or_column(graph, text), with_tagged)
    if column is None:
        raise NotFound(f"no column {text!r}: write it as DATASET#COLUMN")
    return column


def list_columns_now(graph: Graph, dataset: str) -> list[str]:
    """Return the names of the current columns of a dataset, under any of its names."""
    columns = graph.read(list_columns_of, key=dataset, with_tagged=False)
    return list(dict.fromkeys(one.name for one in columns))


def list_named_columns(
    graph: Graph, dataset: str, name: str, *, with_tagged: bool = False
) -> list[PlacedColumn]:
    """Return the columns of a name, that of the dataset itself before those of its other names."""
    columns = graph.read(list_columns_of, key=dataset, with_tagged=with_tagged)
    return _own_first(columns, dataset, name)


def match_column(names: Collection[str], wanted: str) -> str | None:
    """Return the column of that name, or else the only one that differs in case."""
    if wanted in names:
        return wanted
    close = sorted({name for name in names if name.lower() == wanted.lower()})
    if len(close) > 1:
        listed = ", ".join(close)
        raise Ambiguous(f"{wanted!r} matches several columns ({listed}): write one as it is here")
    return close[0] if close else None


def _column_of(graph: Graph, place: NodeMatch, with_tagged: bool = False) -> PlacedColumn | None:
    key = place.node.key
    columns = graph.read(list_columns_of, key=key, with_tagged=with_tagged)
    name = match_column({one.name for one in columns}, place.column or "")
    return next(iter(_own_first(columns, key, name)), None)


def _own_first(
    columns: Iterable[PlacedColumn], dataset: str, name: str | None
) -> list[PlacedColumn]:
    named = (one for one in columns if one.name == name)
    return sorted(named, key=lambda one: (one.dataset != dataset, one.dataset))


def node_id(node: NamedNode) -> str:
    """Return the node as `job:NAMESPACE:NAME` or `dataset:NAMESPACE:NAME`."""
    kind = "job" if isinstance(node, NamedJob) else "dataset"
    return f"{kind}:{node.namespace}:{node.name}"


def _jobs(graph: Graph, name: str, namespace: str | None) -> list[NamedJob]:
    jobs = graph.read(list_jobs_named, name=name)
    return [j for j in jobs if namespace in (None, j.namespace, *j.namespaces_above)]


def _datasets(graph: Graph, name: str, namespace: str | None) -> list[NamedDataset]:
    datasets = graph.read(list_datasets_named, name=name)
    return [d for d in datasets if namespace in (None, d.namespace)]


def _splits(text: str) -> Iterator[tuple[str, str]]:
    """Yield the splits at every colon: namespaces such as `s3://bucket` contain colons."""
    for position, character in enumerate(text):
        if character == ":" and text[position + 1 :]:
            yield text[:position], text[position + 1 :]


def _best(hits: Sequence[N], name: str) -> N | None:
    if not hits:
        return None
    rank = min(hit.rank for hit in hits)
    best = list({_identity(hit): hit for hit in reversed(hits) if hit.rank == rank}.values())[::-1]
    if len(best) > 1:
        more = f" and {len(best) - _LISTED} more" if len(best) > _LISTED else ""
        listed = ", ".join(node_id(hit) for hit in best[:_LISTED])
        raise Ambiguous(f"{name!r} matches several: {listed}{more}: give more of the name")
    return best[0]


def _identity(hit: NamedNode) -> str:
    """Return a key that all names of one dataset have in common."""
    return (hit.same_as if isinstance(hit, NamedDataset) else None) or hit.key


def _all_names(graph: Graph) -> list[str]:
    jobs, datasets = (graph.read(f, limit=_NAMES) for f in (list_job_names, list_dataset_names))
    return [*jobs, *datasets]


def describe_deletion(
    graph: Graph, name: str, namespace: str | None = None, *, is_job: bool | None = None
) -> str | None:
    """Return that a job or dataset was deleted, None for one that is there or never was."""
    return _deleted(name, graph.read(get_deletion, name=name, namespace=namespace, is_job=is_job))


def describe_job_deletion(graph: Graph, key: str, name: str) -> str | None:
    """Return that the job with a key was deleted, None for one that is there."""
    return _deleted(name, graph.read(get_job_deletion, key=key))


def _deleted(name: str, at: datetime | None) -> str | None:
    if at is None:
        return None
    when = f"{at.astimezone(UTC):%Y-%m-%d %H:%M}"
    return f"{name!r} was deleted on {when} UTC; an event that names it brings it back"


def _missing(
    graph: Graph, what: str, name: str, namespace: str | None, names: list[str]
) -> NoReturn:
    is_job = {"job": True, "dataset": False}.get(what)
    if deleted := describe_deletion(graph, name, namespace, is_job=is_job):
        raise NotFound(deleted)
    tails = {_tail(one, name): one for one in reversed(names)}
    close = [tails[one] for one in get_close_matches(name, tails, n=3, cutoff=0.6)]
    advice = f"did you mean {', '.join(close)}?" if close else _ADVICE[what]
    raise NotFound(f"no {what} {name!r}: {advice}")


def _tail(whole: str, like: str) -> str:
    """Return as many parts of the end of a path as a typed text has: `lake/daily` of a long one."""
    return "/".join(whole.split("/")[-like.count("/") - 1 :]) if "/" in whole else whole
