"""Which job each run belongs to: a pure function of what all runs reported of themselves.

A run's job is named under its parent run's job. A run without a parent belongs to the job that
has its name as FQN under a parent, where there is one. When a late report changes a run's name
or parent, the run and all below it move.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from lineagegraph.graph import Transaction
from lineagegraph.ingest.joined import Reporter
from lineagegraph.model.names import JobName, name_job
from lineagegraph.store import declarations, jobs, runs
from lineagegraph.store.jobs import job_row
from lineagegraph.store.runs import FamilyRun

_MOST_ROUNDS = 20


@dataclass(frozen=True, slots=True)
class PlacedRun:
    """A run with its own name, its parent, and the jobs that both are in so far."""

    id: str
    namespace: str
    name: str
    job_key: str | None
    adopted: bool
    parent_id: str | None
    parent_job: JobName | None

    @classmethod
    def of(cls, row: FamilyRun) -> Self:
        """Return what the graph says of a run."""
        job = row.parent_job.full_name if row.parent_job else None
        return cls(row.id, row.namespace, row.name, row.job_key, row.adopted, row.parent_id, job)


@dataclass
class Moves:
    """What placing changed: the job of each run or declaration, and which jobs that concerns.

    `moved_runs` and `moved_declarations` were in another job before, one of those in `left`;
    `routes` are the old and the new job of runs. `new_jobs` had no run of their own before.
    """

    placed: dict[str, str] = field(default_factory=dict)
    left: set[str] = field(default_factory=set)
    moved_runs: set[str] = field(default_factory=set)
    moved_declarations: set[str] = field(default_factory=set)
    new_jobs: set[str] = field(default_factory=set)
    routes: set[tuple[str, str]] = field(default_factory=set)


def place_runs(tx: Transaction, known: Mapping[str, Reporter]) -> Moves:
    """Put runs whose name or parent is news into their jobs, with all runs below them."""
    changed = [run for run in known.values() if run.is_renamed]
    moves = Moves()
    new = [_new_run(run, known) for run in changed if run.is_new]
    if len(new) == len(changed):
        touched = _place_family(tx, new, moves)
    else:
        touched = _place_family(tx, _lock_family(tx, {run.id for run in changed}), moves)
    for _ in range(_MOST_ROUNDS):
        pending = set(runs.list_adopted(tx, keys=sorted(touched)))
        if not pending:
            break
        touched = _place_family(tx, _lock_family(tx, pending), moves)
    return moves


def _new_run(run: Reporter, known: Mapping[str, Reporter]) -> PlacedRun:
    """Return what the graph would say of a run that it does not know: it has nothing below it."""
    parent_id = run.after.get("parent")
    parent = known.get(parent_id)
    namespace, name = run.name
    return PlacedRun(
        run.id, namespace, name, None, False, parent_id, parent.job if parent else None
    )


def place_declarations(tx: Transaction, changed: Iterable[Reporter], moves: Moves) -> None:
    """Link declarations to the jobs that they are about; jobs that changed may take over some."""
    strays = declarations.list_stray(tx, keys=sorted(moves.left | moves.new_jobs))
    names = {one.id: one.name for one in changed}
    names |= {stray.key: (stray.namespace, stray.name) for stray in strays}
    placed = _place_alone(tx, set(names.values()))
    own = sorted((job for job in placed.values()), key=lambda job: job.key)
    jobs.merge_jobs(tx, rows=[job_row(job, None) for job in own])
    rows = [{"key": key, "job_key": placed[name].key} for key, name in sorted(names.items())]
    declarations.link_jobs(tx, rows=rows)
    moves.placed |= {row["key"]: row["job_key"] for row in rows}
    moved = {one.key: one.job_key for one in strays if one.job_key != moves.placed[one.key]}
    moves.moved_declarations |= moved.keys()
    moves.left |= {job_key for job_key in moved.values() if job_key}


def move_attached(tx: Transaction, moves: Moves) -> None:
    """Let what people attached to jobs follow the runs of these."""
    routes = set(moves.routes)
    for found in jobs.list_replaced(tx, keys=sorted(moves.new_jobs)):
        routes.add((found.old_key, found.new_key))
        moves.left.add(found.old_key)
    rows = [{"old_key": old, "new_key": new} for old, new in sorted(routes)]
    jobs.link_attached(tx, rows=rows)


def _lock_family(tx: Transaction, ids: set[str]) -> list[PlacedRun]:
    """Return runs and all below them, locked: what joins them meanwhile is found and locked too."""
    locked: set[str] = set(ids)
    while True:
        family = runs.list_family(tx, ids=sorted(ids))
        unlocked = {run.id for run in family} - locked
        if not unlocked:
            return [PlacedRun.of(run) for run in family]
        runs.merge_runs(tx, ids=sorted(unlocked))
        locked |= unlocked


def _place_family(tx: Transaction, family: list[PlacedRun], moves: Moves) -> set[str]:
    """Put a family's runs into their jobs; return the jobs that gained their first or lost one."""
    tops = _list_tops(family)
    placed = _name_family(tx, family, tops)
    adopted = {run.id for run in tops if placed[run.id] != name_job(run.namespace, run.name)}
    new_jobs = set(jobs.merge_jobs(tx, rows=_job_rows(family, placed, tops, adopted)))
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
    moves.moved_runs |= {run.id for run in moved if run.job_key}
    moves.routes |= {(run.job_key, placed[run.id].key) for run in moved if run.job_key}
    moves.new_jobs |= new_jobs
    return left | new_jobs


def _job_rows(
    family: list[PlacedRun],
    placed: dict[str, JobName],
    tops: list[PlacedRun],
    adopted: set[str],
) -> list[dict[str, Any]]:
    """Return the jobs of a family's runs; those of adopted runs are there already."""
    top_ids = {run.id for run in tops}
    rows = {
        placed[run.id].key: job_row(
            placed[run.id], None if run.id in top_ids else _parent_key(run, placed)
        )
        for run in family
        if run.id not in adopted
    }
    # A child comes after its parent, so that the parent is there to be linked to.
    return sorted(rows.values(), key=lambda row: (len(row["fqn"]), row["key"]))


def _list_tops(family: list[PlacedRun]) -> list[PlacedRun]:
    """Return the runs that are named without a parent; on a cycle of parents all of them are."""
    members = {run.id: run for run in family}
    return [run for run in family if not run.parent_id or _is_on_cycle(run.id, members)]


def _name_family(
    tx: Transaction, family: list[PlacedRun], tops: list[PlacedRun]
) -> dict[str, JobName]:
    """Return each run's job."""
    members = {run.id: run for run in family}
    alone = _place_alone(tx, {(run.namespace, run.name) for run in tops})
    placed = {run.id: alone[run.namespace, run.name] for run in tops}
    for run in family:
        _name_upwards(run, members, placed)
    return placed


def _name_upwards(
    run: PlacedRun, members: dict[str, PlacedRun], placed: dict[str, JobName]
) -> None:
    chain = [run]
    while chain[-1].id not in placed and (parent_id := chain[-1].parent_id) in members:
        chain.append(members[parent_id])
    for one in reversed(chain):
        if one.id not in placed:
            parent = placed.get(one.parent_id or "", one.parent_job)
            placed[one.id] = name_job(one.namespace, one.name, parent)


def _is_on_cycle(id_: str, members: dict[str, PlacedRun]) -> bool:
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
        placed[found.wanted_namespace, found.wanted_name] = found.job.full_name
    return placed


def _parent_key(run: PlacedRun, placed: dict[str, JobName]) -> str | None:
    if not run.parent_id:
        return None
    parent = placed.get(run.parent_id, run.parent_job)
    return parent.key if parent else None
