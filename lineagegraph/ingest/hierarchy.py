"""Which job each run belongs to: a pure function of what all runs reported of themselves.

A run's job is named under its parent run's job. A run without a parent belongs to the job that
has its name as FQN under a parent, where there is one. When a late report changes a run's name
or parent, the run and all below it move.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from lineagegraph.graph import Transaction
from lineagegraph.ingest.joined import Reporter
from lineagegraph.model.names import JobName, name_job
from lineagegraph.store import declarations, jobs, runs
from lineagegraph.store.runs import FamilyRun

_MOST_ROUNDS = 20


@dataclass
class Moves:
    """What placing changed: the job of each run or declaration, and which jobs that concerns.

    `left` and `entered` are jobs that runs moved out of and into.
    """

    placed: dict[str, str] = field(default_factory=dict)
    left: set[str] = field(default_factory=set)
    entered: set[str] = field(default_factory=set)
    new_jobs: set[str] = field(default_factory=set)


def place_runs(tx: Transaction, changed: Iterable[Reporter]) -> Moves:
    """Link runs to their parents and jobs, with all runs below them."""
    reporters = list(changed)
    parents = [
        {"id": run.id, "parent_id": run.after.get("parent")}
        for run in reporters
        if run.before.get("parent") != run.after.get("parent")
    ]
    runs.link_parents(tx, rows=sorted(parents, key=lambda row: row["id"]))
    moves = Moves()
    pending = {run.id for run in reporters}
    for _ in range(_MOST_ROUNDS):
        if not pending:
            break
        touched = _place_family(tx, _lock_family(tx, pending), moves)
        pending = set(runs.list_adopted(tx, keys=sorted(touched)))
    return moves


def place_declarations(tx: Transaction, changed: Iterable[Reporter], moves: Moves) -> None:
    """Link declarations to the jobs that they are about; jobs that changed may take over some."""
    touched = sorted(moves.left | moves.entered | moves.new_jobs)
    strays = declarations.list_stray(tx, keys=touched)
    names = {one.id: one.name for one in changed}
    names |= {stray.key: (stray.namespace, stray.name) for stray in strays}
    placed = _place_alone(tx, set(names.values()))
    own = sorted((job for job in placed.values()), key=lambda job: job.key)
    jobs.merge_jobs(tx, rows=[_job_row(job, None) for job in own])
    rows = [{"key": key, "job_key": placed[name].key} for key, name in sorted(names.items())]
    declarations.link_jobs(tx, rows=rows)
    moves.placed |= {row["key"]: row["job_key"] for row in rows}
    moves.left |= {one.job_key for one in strays if one.job_key}
    moves.entered |= {moves.placed[one.key] for one in strays}


def _lock_family(tx: Transaction, ids: set[str]) -> list[FamilyRun]:
    """Return runs and all below them, locked: what joins them meanwhile is found and locked too."""
    locked: set[str] = set(ids)
    while True:
        family = runs.list_family(tx, ids=sorted(ids))
        unlocked = {run.id for run in family} - locked
        if not unlocked:
            return family
        runs.merge_runs(tx, ids=sorted(unlocked))
        locked |= unlocked


def _place_family(tx: Transaction, family: list[FamilyRun], moves: Moves) -> set[str]:
    """Put a family's runs into their jobs, and return the jobs that this touched."""
    tops = _list_tops(family)
    placed = _name_family(tx, family, tops)
    adopted = {run.id for run in tops if placed[run.id] != name_job(run.namespace, run.name)}
    top_ids = {run.id for run in tops}
    rows = {
        placed[run.id].key: _job_row(
            placed[run.id], None if run.id in top_ids else _parent_key(run, placed)
        )
        for run in family
        if run.id not in adopted
    }
    # A child comes after its parent, so that the parent is there to be linked to.
    jobs.merge_jobs(tx, rows=sorted(rows.values(), key=lambda row: (len(row["fqn"]), row["key"])))
    moved = [run for run in family if run.job_key != placed[run.id].key]
    links = [
        {"id": run.id, "job_key": placed[run.id].key, "adopted": run.id in adopted}
        for run in family
        if (run.job_key, run.adopted) != (placed[run.id].key, run.id in adopted)
    ]
    runs.link_jobs(tx, rows=links)
    left = {run.job_key for run in moved if run.job_key}
    moves.placed |= {run.id: placed[run.id].key for run in moved}
    moves.left |= left
    moves.entered |= {placed[run.id].key for run in moved if run.job_key}
    moves.new_jobs |= set(rows)
    return left | set(rows)


def _list_tops(family: list[FamilyRun]) -> list[FamilyRun]:
    """Return the runs that are named without a parent; on a cycle of parents all of them are."""
    members = {run.id: run for run in family}
    return [run for run in family if not run.parent_id or _is_on_cycle(run.id, members)]


def _name_family(
    tx: Transaction, family: list[FamilyRun], tops: list[FamilyRun]
) -> dict[str, JobName]:
    """Return each run's job."""
    members = {run.id: run for run in family}
    alone = _place_alone(tx, {(run.namespace, run.name) for run in tops})
    placed = {run.id: alone[run.namespace, run.name] for run in tops}
    for run in family:
        _name_upwards(run, members, placed)
    return placed


def _name_upwards(
    run: FamilyRun, members: dict[str, FamilyRun], placed: dict[str, JobName]
) -> None:
    chain = [run]
    while chain[-1].id not in placed and (parent_id := chain[-1].parent_id) in members:
        chain.append(members[parent_id])
    for one in reversed(chain):
        if one.id not in placed:
            parent = placed.get(one.parent_id or "", one.parent_job)
            placed[one.id] = name_job(one.namespace, one.name, parent)


def _is_on_cycle(id_: str, members: dict[str, FamilyRun]) -> bool:
    seen, at = {id_}, members[id_].parent_id
    while at in members and at not in seen:
        seen.add(at)
        at = members[at].parent_id
    return at == id_


def _place_alone(tx: Transaction, names: set[tuple[str, str]]) -> dict[tuple[str, str], JobName]:
    """Place what has no parent: under its own name, or in the job of that FQN under a parent."""
    placed = {(namespace, name): name_job(namespace, name) for namespace, name in names}
    wanted = [{"namespace": namespace, "name": name} for namespace, name in sorted(names)]
    for found in jobs.list_namesakes(tx, names=wanted):
        placed[found.wanted_namespace, found.wanted_name] = JobName(
            found.key, found.namespace, found.name, found.simple_name, found.fqn
        )
    return placed


def _parent_key(run: FamilyRun, placed: dict[str, JobName]) -> str | None:
    if not run.parent_id:
        return None
    parent = placed.get(run.parent_id, run.parent_job)
    return parent.key if parent else None


def _job_row(job: JobName, parent_key: str | None) -> dict[str, Any]:
    return {
        "key": job.key,
        "namespace": job.namespace,
        "name": job.name,
        "simple_name": job.simple_name,
        "fqn": job.fqn,
        "parent_key": parent_key,
    }
