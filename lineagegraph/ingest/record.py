"""A batch of facts into the graph, within one transaction."""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

import msgspec

from lineagegraph.graph import Transaction
from lineagegraph.ingest.batch import Batch
from lineagegraph.ingest.columns import link_columns, link_schemas
from lineagegraph.ingest.dependencies import FOLLOWS
from lineagegraph.ingest.emptied import delete_emptied
from lineagegraph.ingest.hierarchy import move_attached, place_declarations, place_runs
from lineagegraph.ingest.joined import NOTHING, JoinedFacts, join_declarations, join_runs
from lineagegraph.ingest.moves import Moves
from lineagegraph.ingest.projection import JobUse, has_replaced, link_flows, link_uses
from lineagegraph.ingest.run_rows import kind_said, run_row
from lineagegraph.ingest.same_data import link_names
from lineagegraph.ingest.state_changes import change_rows, changed_at
from lineagegraph.ingest.uses import SCHEMA
from lineagegraph.ingest.verdicts import link_verdicts
from lineagegraph.model.runs.facts import DatasetFacts, RunFacts, decode_facts, encode_facts
from lineagegraph.model.runs.states import RunState
from lineagegraph.store.datasets import datasets, names
from lineagegraph.store.jobs import jobs
from lineagegraph.store.runs import declarations, runs

KnownDatasets = dict[str, tuple[DatasetFacts | None, DatasetFacts]]

FLOWS = "FLOWS"
# What is recorded as of this time is no news: nobody who follows the states of runs is told.
NO_NEWS = datetime(1970, 1, 1, tzinfo=UTC)


class StateChange(msgspec.Struct, frozen=True):
    """A run whose state a batch changed."""

    run_id: str
    before: RunState
    after: RunState
    at: str  # since when it has this state, by its events


def record(tx: Transaction, batch: Batch, now: datetime | None = None) -> list[StateChange]:
    """Write a batch and return its changes of state, sorted by run.

    The resulting graph depends on the set of all recorded events, not on their order, number or
    batches.
    """
    reporters = join_runs(tx, batch)
    declared = join_declarations(tx, batch)
    known = _join_datasets(tx, batch)
    changed = [run for run in reporters.values() if run.before != run.after]
    _set_runs(tx, batch, changed, now)
    _set_declarations(tx, declared.values())
    _set_datasets(tx, batch, known)
    moves = place_runs(tx, reporters)
    batch.on_cycle = moves.on_cycle
    place_declarations(tx, (one for one in declared.values() if one.is_renamed), moves)
    link_uses(tx, changed)
    link_verdicts(tx, changed, known)
    link_schemas(tx, batch, known)
    named = link_names(tx, known)
    batch.crowded |= named.crowded
    if now != NO_NEWS:
        names.set_unjudged(tx, keys=sorted(named.same), now=now)
    record_jobs(tx, batch, [*changed, *declared.values()], moves)
    return _changes(changed)


def _set_runs(
    tx: Transaction, batch: Batch, changed: list[JoinedFacts], now: datetime | None
) -> None:
    versions = [{"id": run.id, "version": run.after.get("version")} for run in changed]
    batch.received = runs.set_runs(
        tx,
        facets=batch.facet_rows(),
        runs=[run_row(run) | {"changes": _change_rows(run, now)} for run in changed],
        parents=[
            {"id": run.id, "parent_id": run.after.get("parent")}
            for run in changed
            if run.before.get("parent") != run.after.get("parent")
        ],
        links=[row for run in changed for row in _facet_rows(batch, run)],
        follows=[row for run in changed for row in _follow_rows(run)],
        versions=[row for row in versions if row["version"]],
        events=[row for _, row in sorted(batch.events.items())],
        is_news=now != NO_NEWS,
        now=now,
    )


def _change_rows(run: JoinedFacts, now: datetime | None) -> list[dict[str, Any]]:
    return [] if now == NO_NEWS else change_rows(run)


def _facet_rows(batch: Batch, run: JoinedFacts) -> Iterable[dict[str, str | None]]:
    for said, stamped in sorted(run.after.said.items()):
        scope, _, name = said.partition(":")
        if name and run.before.get(said) != stamped.value:
            hash_ = batch.linked_hash(stamped.value)
            yield {"id": run.id, "scope": scope, "name": name, "hash": hash_}


def _follow_rows(run: JoinedFacts) -> Iterable[dict[str, Any]]:
    for said, stamped in sorted(run.after.said.items()):
        if said.startswith(FOLLOWS) and run.before.get(said) != stamped.value:
            yield {"id": run.id, "followed": said[len(FOLLOWS) :], "rules": stamped.value}


def _set_declarations(tx: Transaction, declared: Iterable[JoinedFacts]) -> None:
    declarations.set_declarations(
        tx,
        rows=[
            {
                "key": one.id,
                "namespace": one.name[0],
                "name": one.name[1],
                "facts": encode_facts(one.after),
                "kind": one.after.get("kind"),
                "kind_said": kind_said(one.after),
                "stub": one.is_stub,
                "versions": sorted(one.after.versions),
                "version_times": [at for _, at in sorted(one.after.versions.items())],
            }
            for one in declared
        ],
    )


def _join_datasets(tx: Transaction, batch: Batch) -> KnownDatasets:
    """Lock the datasets of a batch and join their facts."""
    rows = [
        {"key": key, "namespace": facts.namespace, "name": facts.name}
        for key, facts in sorted(batch.datasets.items())
    ]
    known: KnownDatasets = {}
    for row in datasets.merge_datasets(tx, rows=rows, shown_by=batch.shown_by):
        before = decode_facts(row.facts, DatasetFacts) if row.facts else None
        new = batch.datasets[row.key]
        known[row.key] = before, before | new if before else new
    return known


def _set_datasets(tx: Transaction, batch: Batch, known: KnownDatasets) -> None:
    changed = [(key, after) for key, (before, after) in known.items() if before != after]
    links = [
        {"key": key, "name": said.partition(":")[2], "hash": batch.linked_hash(stamped.value)}
        for key, after in changed
        for said, stamped in sorted(after.said.items())
        if not (before := known[key][0]) or before.get(said) != stamped.value
    ]
    if changed:
        rows = [_dataset_row(key, after) for key, after in changed]
        datasets.set_datasets(tx, datasets=rows, links=links)


def _dataset_row(key: str, facts: DatasetFacts) -> dict[str, Any]:
    schema = facts.said.get(SCHEMA)
    at = schema.at if schema else None
    return {"key": key, "facts": encode_facts(facts), "schema_at": at}


def record_jobs(tx: Transaction, batch: Batch, reporters: list[JoinedFacts], moves: Moves) -> None:
    """Update the job-level view: add new edges, rebuild jobs that runs have left.

    While there are more runs to move, jobs are not rebuilt again and again, but marked for the end.
    """
    for one in reporters:
        one.job_key = moves.placed.get(one.id, one.job_key)
    moved = moves.moved_runs | moves.moved_declarations
    changed = [one for one in reporters if one.id not in moved] + _list_moved(tx, moves)
    replaced = {one.job_key for one in reporters if one.job_key and has_replaced(one)}
    rebuilt: set[str] = replaced if moves.is_cut else moves.left | replaced
    uses = [
        JobUse(one.job_key or "", one.is_run, one.before.effective, one.after.effective)
        for one in changed
        if one.job_key not in rebuilt
    ]
    jobs.set_rebuilt(tx, keys=sorted(rebuilt))
    jobs.delete_flows(tx, keys=sorted(rebuilt))
    uses += _list_uses(tx, rebuilt)
    reports = _report_rows(changed, {one.id for one in reporters})
    flows = link_flows(tx, reports, uses, batch.shown_by)
    link_columns(tx, batch, flows)
    move_attached(tx, moves)
    delete_emptied(tx, moves.left)
    if moves.is_cut:
        jobs.set_unsettled(tx, rows=[{"key": k, "unsettled": FLOWS} for k in sorted(moves.left)])


def _list_moved(tx: Transaction, moves: Moves) -> list[JoinedFacts]:
    """Return the runs and declarations that moved, as if all that they reported were news."""
    found = [(row, True) for row in runs.list_facts(tx, ids=sorted(moves.moved_runs))]
    keys = sorted(moves.moved_declarations)
    found += [(row, False) for row in declarations.list_facts(tx, keys=keys)]
    return [
        JoinedFacts(
            row.id, is_run, NOTHING, decode_facts(row.facts, RunFacts), moves.placed[row.id]
        )
        for row, is_run in found
    ]


def _report_rows(
    reporters: Iterable[JoinedFacts], heard: set[str]
) -> list[dict[str, str | bool | None]]:
    """Return one row for each job: Cypher compares all rows with the job before it sets any.

    A job is named if one of its runs was heard; no event names one that runs only moved to.
    """
    rows: dict[str, dict[str, str | bool | None]] = {}
    for one in sorted(reporters, key=lambda one: (one.job_key or "", kind_said(one.after))):
        key = one.job_key or ""
        rows[key] = {
            "job_key": key,
            "stub": one.is_stub and rows.get(key, {}).get("stub", True),
            "is_named": one.id in heard or rows.get(key, {}).get("is_named", False),
            "kind": one.after.get("kind"),
            "kind_said": kind_said(one.after),
        }
    return list(rows.values())


def _list_uses(tx: Transaction, keys: set[str]) -> list[JobUse]:
    """Return all that the runs and declarations of jobs reported, as if it were news."""
    return [
        JobUse(row.job_key, row.is_run, NOTHING, decode_facts(row.facts, RunFacts).effective)
        for row in jobs.list_facts(tx, keys=sorted(keys))
    ]


def _changes(reporters: Iterable[JoinedFacts]) -> list[StateChange]:
    return [
        StateChange(run.id, run.state_before, run.state, changed_at(run.after, run.state))
        for run in reporters
        if run.after.times and (run.state_before != run.state or not run.before.times)
    ]
