"""The job of each run: a pure function of the facts of all runs.

A run's job is named under its parent run's job. A run without a parent belongs to the job that
has its name as FQN under a parent, if there is one. When a late report changes a run's name
or parent, the run and all below it move: so many in this transaction, the others by `settle`.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from lineagegraph.graph import Transaction
from lineagegraph.ingest.joined import JoinedFacts
from lineagegraph.ingest.moves import Moves
from lineagegraph.ingest.parent_cycles import mark_cycles
from lineagegraph.model.names.keys import JobName, name_job
from lineagegraph.store.jobs import jobs
from lineagegraph.store.jobs.jobs import PlacedJob, job_row
from lineagegraph.store.runs import declarations, runs
from lineagegraph.store.runs.runs import ChildRun, PlacedRun

ADOPTION = "ADOPTION"
_MOST_ROUNDS = 20
# A transaction moves runs of so many levels; each costs a statement.
_MOST_LEVELS = 50


def place_runs(tx: Transaction, known: Mapping[str, JoinedFacts]) -> Moves:
    """Put runs whose name or parent is news into their jobs, with all runs below them."""
    changed = [run for run in known.values() if run.is_renamed]
    moves = Moves()
    moves.on_cycle = mark_cycles(tx, changed)
    new = [_new_run(run, known, moves.on_cycle) for run in changed if run.is_new]
    if len(new) == len(changed):
        _place(tx, new, moves)
    else:
        _place(tx, runs.list_placed(tx, ids=sorted(run.id for run in changed)), moves)
        place_below(tx, {run.id: "" for run in changed if not run.is_new}, moves)
    adopt(tx, moves)
    return moves


def place_below(tx: Transaction, due: dict[str, str], moves: Moves) -> None:
    """Move the children of runs and their descendants, after the given ones."""
    below, rest = _list_below(tx, due, moves)
    moved = set(_place(tx, _load(tx, below), moves)) if below else set[str]()
    # Below a run that stays nothing moves; what was left of it before is still left.
    left = {id_: after for id_, after in rest.items() if id_ in moved or id_ in due}
    done = dict.fromkeys(below - rest.keys())
    moves.is_cut |= bool(left)
    rows = [{"id": id_, "after": after} for id_, after in sorted((done | left).items())]
    runs.set_unsettled(tx, rows=rows)


def adopt(tx: Transaction, moves: Moves) -> None:
    """Let jobs adopt the runs without a parent that have their name, or let go of them."""
    for _ in range(_MOST_ROUNDS):
        keys, moves.touched = sorted(moves.touched), set()
        found = runs.list_adopted(tx, keys=keys, limit=moves.room + 1)
        if len(found) > moves.room:
            moves.is_cut = True
            jobs.set_unsettled(tx, rows=[{"key": key, "unsettled": ADOPTION} for key in keys])
        pending = set(found[: moves.room])
        moves.room -= len(pending)
        if not pending:
            break
        place_below(tx, dict.fromkeys(_place(tx, _load(tx, pending), moves), ""), moves)


def place_declarations(tx: Transaction, changed: Iterable[JoinedFacts], moves: Moves) -> None:
    """Link declarations to the jobs that they are about; jobs that changed may take over some."""
    strays = declarations.list_stray(tx, keys=sorted(moves.left | moves.new_jobs))
    names = {one.id: one.name for one in changed}
    names |= {stray.key: (stray.namespace, stray.name) for stray in strays}
    placed = _place_alone(tx, set(names.values()))
    own = sorted((job for job in placed.values()), key=lambda job: job.key)
    if new := jobs.merge_jobs(tx, rows=[job_row(job, None) for job in own]):
        # Others may have got these names before the jobs were locked.
        placed = _place_alone(tx, set(names.values()))
        moves.left |= set(new) - {job.key for job in placed.values()}
    rows = [{"key": key, "job_key": placed[name].key} for key, name in sorted(names.items())]
    declarations.link_jobs(tx, rows=rows)
    moves.placed |= {row["key"]: row["job_key"] for row in rows}
    moved = {one.key: one.job_key for one in strays if one.job_key != moves.placed[one.key]}
    moves.moved_declarations |= moved.keys()
    moves.left |= {job_key for job_key in moved.values() if job_key}


def move_attached(tx: Transaction, moves: Moves) -> None:
    """Move tags, triggers and other attachments of jobs after their runs."""
    routes = set(moves.routes)
    # What became a stub in an earlier transaction of a large move was not replaced then.
    left = moves.left - {old for old, _ in routes}
    successors = jobs.list_successors(tx, keys=sorted(left))
    for found in (*jobs.list_replaced(tx, keys=sorted(moves.new_jobs)), *successors):
        routes.add((found.old_key, found.new_key))
        moves.left.add(found.old_key)
    rows = [{"old_key": old, "new_key": new} for old, new in sorted(routes)]
    jobs.link_attached(tx, rows=rows)


def _new_run(
    run: JoinedFacts, known: Mapping[str, JoinedFacts], on_cycle: Collection[str]
) -> PlacedRun:
    """Return the state of a run that is not in the graph: its children are new, too."""
    parent_id = run.after.get("parent")
    parent = known.get(parent_id)
    namespace, name = run.name
    job = PlacedJob.of(parent.job) if parent and parent.job else None
    return PlacedRun(run.id, namespace, name, None, False, parent_id, job, run.id in on_cycle)


def _load(tx: Transaction, ids: set[str]) -> list[PlacedRun]:
    """Lock runs and return their jobs and parents."""
    runs.merge_runs(tx, ids=sorted(ids))
    return runs.list_placed(tx, ids=sorted(ids))


def _list_below(
    tx: Transaction, due: dict[str, str], moves: Moves
) -> tuple[set[str], dict[str, str]]:
    """Return descendants of runs, as many as there is room for, and the runs with others."""
    below: set[str] = set()
    rest: dict[str, str] = {}
    for _ in range(_MOST_LEVELS):
        rows = [{"id": id_, "after": after} for id_, after in sorted(due.items())]
        found = runs.list_children(tx, rows=rows, limit=moves.room + 1)
        children = found[: moves.room]
        if len(found) > len(children):
            rest |= _rest(due, children, found[moves.room].parent_id)
        moves.room -= len(children)
        # On a cycle of parents a run is below itself.
        due = dict.fromkeys({child.id for child in children} - below, "")
        below |= due.keys()
        if not due:
            break
    return below, rest | due


def _rest(due: dict[str, str], children: list[ChildRun], first: str) -> dict[str, str]:
    """Return the runs from `first` on, each with the last of its children that is dealt with."""
    rest = {id_: after for id_, after in due.items() if id_ >= first}
    if children and children[-1].parent_id == first:
        rest[first] = children[-1].id
    return rest


def _place(tx: Transaction, family: list[PlacedRun], moves: Moves) -> list[str]:
    """Put runs into their jobs, and return the ids of those that were in another one."""
    tops = _list_tops(family)
    placed = _name_family(tx, family, tops)
    adopted = {run.id for run in tops if placed[run.id] != name_job(run.namespace, run.name)}
    new_jobs = set(jobs.merge_jobs(tx, rows=_job_rows(family, placed, tops, adopted)))
    links = [
        {"id": run.id, "job_key": placed[run.id].key, "adopted": run.id in adopted}
        for run in family
        if (run.job_key, run.adopted) != (placed[run.id].key, run.id in adopted)
    ]
    runs.link_jobs(tx, rows=links)
    moves.placed |= {run.id: placed[run.id].key for run in family}
    routes = {
        run.id: (run.job_key, placed[run.id].key)
        for run in family
        if run.job_key and run.job_key != placed[run.id].key
    }
    moves.routes |= set(routes.values())
    left = {old for old, _ in routes.values()}
    moves.left |= left
    moves.moved_runs |= routes.keys()
    moves.new_jobs |= new_jobs
    # A job that keeps its last own run only by name has to let go of it.
    kept = {str(row["job_key"]) for row in links if row["adopted"]}
    kept &= {run.job_key or "" for run in family}
    moves.touched |= left | new_jobs | kept
    moves.touched |= _list_late_namesakes(tx, [r for r in tops if placed[r.id].key in new_jobs])
    return sorted(routes)


def _job_rows(
    family: list[PlacedRun],
    placed: dict[str, JobName],
    tops: list[PlacedRun],
    adopted: set[str],
) -> list[dict[str, Any]]:
    """Return the jobs of runs; those of adopted runs are there already."""
    top_ids = {run.id for run in tops}
    rows = {
        placed[run.id].key: job_row(
            placed[run.id], None if run.id in top_ids else _parent_key(run, placed)
        )
        for run in family
        if run.id not in adopted
    }
    # A child comes after its parent, so that the parent is there to be linked to.
    ordered: dict[str, dict[str, Any]] = {}
    for key in sorted(rows):
        chain = [key]
        while (above := rows[chain[-1]]["parent_key"]) in rows and above not in ordered:
            chain.append(above)
        ordered |= {one: rows[one] for one in reversed(chain)}
    return list(ordered.values())


def _list_tops(family: list[PlacedRun]) -> list[PlacedRun]:
    """Return the runs that are named without a parent; on a cycle of parents all of them are."""
    return [run for run in family if not run.parent_id or run.on_cycle]


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
            known = one.parent_job.full_name if one.parent_job else None
            parent = placed.get(one.parent_id or "", known)
            placed[one.id] = name_job(one.namespace, one.name, parent)


def _place_alone(tx: Transaction, names: set[tuple[str, str]]) -> dict[tuple[str, str], JobName]:
    """Place runs without a parent: under their own name, or in the job of that FQN."""
    placed = {(namespace, name): name_job(namespace, name) for namespace, name in names}
    wanted = [{"namespace": namespace, "name": name} for namespace, name in sorted(names)]
    for found in jobs.list_namesakes(tx, names=wanted):
        placed[found.wanted_namespace, found.wanted_name] = found.job.full_name
    return placed


def _list_late_namesakes(tx: Transaction, tops: list[PlacedRun]) -> set[str]:
    """Return the jobs that got the names of new jobs before these were locked."""
    if not tops:
        return set()
    return {
        job.key for job in _place_alone(tx, {(one.namespace, one.name) for one in tops}).values()
    }


def _parent_key(run: PlacedRun, placed: dict[str, JobName]) -> str | None:
    if run.parent_id in placed:
        return placed[run.parent_id].key
    return run.parent_job.key if run.parent_job else None
