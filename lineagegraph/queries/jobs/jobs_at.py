"""Jobs at a past time: their data, and their newest run then with its facets."""

from datetime import datetime
from typing import NamedTuple

import msgspec

from lineagegraph.graph import Transaction
from lineagegraph.ingest.joined import NOTHING, JoinedFacts, job_version
from lineagegraph.ingest.run_rows import ended_at, started_at
from lineagegraph.model.runs.facts import RunFacts, decode_facts
from lineagegraph.model.runs.hand_mark import BY_HAND
from lineagegraph.queries.jobs.facets_at import Stamps, facet_stamps, facets_at
from lineagegraph.queries.jobs.job_details import JobDetail, decode_declared
from lineagegraph.queries.runs.events import replay
from lineagegraph.queries.runs.run_details import Facets, RunDetail, list_runs
from lineagegraph.store.lineage.lineage import JobAtRow, list_jobs_at
from lineagegraph.store.runs.runs import list_facts

# A facet that was stated again later, and by none of these runs, is not found.
_FACET_RUNS = 20
_EXTRACTION_ERROR = "run:extractionError"


class RunsAt(NamedTuple):
    """The data of jobs by a time, with their newest runs and facets as of then.

    `recent` has the runs whose facets a job has, the newest first, and `stamps` these facets by
    run. `bodies` has the facets by hash that were replayed.
    """

    rows: dict[str, JobAtRow]
    recent: dict[str, tuple[str, ...]]
    runs: dict[str, RunDetail]
    stamps: dict[str, Stamps]
    bodies: dict[str, str]


class PastRuns(NamedTuple):
    """Runs at a time with their facts by then, by id, and the facets by hash that were replayed."""

    details: dict[str, RunDetail]
    facts: dict[str, RunFacts]
    bodies: dict[str, str]


def jobs_at(
    tx: Transaction,
    jobs: list[JobDetail],
    at: datetime,
    inherit: bool,
    chosen: dict[str, str] | None = None,
) -> list[JobDetail]:
    """Return jobs according to all events up to a time; names and hierarchy are today's.

    `chosen` are the runs to show in place of the newest ones, by job.
    """
    past = runs_at(tx, [job.row.key for job in jobs], at, inherit, chosen, _FACET_RUNS)
    declared = {job.row.key: decode_declared(job.row.declared) for job in jobs}
    stated = {
        key: [
            *(facet_stamps(facts, at) for facts in declared[key]),
            *(past.stamps[run] for run in past.recent[key] if run in past.stamps),
        ]
        for key in declared
    }
    facets = facets_at(tx, stated, at, past.bodies)
    return [_job_at(job, past, facets[job.row.key]) for job in jobs]


class StateAt(NamedTuple):
    """The state of the newest run of a job at a time, and whether its lineage was incomplete."""

    state: str
    is_incomplete: bool


def states_at(tx: Transaction, keys: list[str], at: datetime) -> dict[str, StateAt]:
    """Return the states of the newest runs of jobs at a time."""
    newest = {row.key: row.runs for row in list_jobs_at(tx, keys=keys, at=at, runs=1)}
    past = describe_past_runs(tx, [id_ for ids in newest.values() for id_ in ids], at, inherit=True)
    return {
        key: StateAt(run.row.state, _EXTRACTION_ERROR in past.facts[run.row.id].said)
        for key, ids in newest.items()
        for run in (past.details[id_] for id_ in ids if id_ in past.details)
    }


def runs_at(
    tx: Transaction,
    keys: list[str],
    at: datetime,
    inherit: bool,
    chosen: dict[str, str] | None = None,
    facet_runs: int = 1,
) -> RunsAt:
    """Return the newest runs of jobs at a time; a run that reported more later is replayed.

    `facet_runs` is how many runs of a job give it facets.
    """
    rows = {row.key: row for row in list_jobs_at(tx, keys=keys, at=at, runs=facet_runs)}
    recent = {key: row.runs for key, row in rows.items()}
    newest = {key: next(iter(runs), None) for key, runs in recent.items()}
    shown = newest if chosen is None else chosen
    rows = {key: _with_run(row, shown.get(key)) for key, row in rows.items()}
    ids = sorted({run for key, row in rows.items() for run in (*row.runs, *recent[key])})
    past = describe_past_runs(tx, ids, at, inherit)
    stamps = {run: facet_stamps(facts) for run, facts in past.facts.items()}
    return RunsAt(rows, recent, past.details, stamps, past.bodies)


def describe_past_runs(tx: Transaction, ids: list[str], at: datetime, inherit: bool) -> PastRuns:
    """Return runs as they were at a time; one that reported more later is replayed."""
    runs = {run.row.id: run for run in list_runs(tx, sorted(ids), inherit)}
    # A queued run has no facts yet.
    known = dict.fromkeys(runs, RunFacts())
    known |= {row.id: decode_facts(row.facts, RunFacts) for row in list_facts(tx, ids=sorted(ids))}
    open_runs = _open_runs(known, at)
    past = replay(tx, open_runs, at)
    known |= {run: past.runs.get(run, RunFacts()) for run in open_runs}
    for run in open_runs & runs.keys():
        runs[run] = run_at(runs[run], known[run])
    bodies = {hash_: facet.text for hash_, facet in past.facets.items()}
    return PastRuns(runs, known, bodies)


def _with_run(row: JobAtRow, run: str | None) -> JobAtRow:
    return msgspec.structs.replace(row, runs=(run,) if run else ())


def run_at(run: RunDetail, facts: RunFacts) -> RunDetail:
    """Return a run with the state and times of its facts."""
    state = facts.state
    row = msgspec.structs.replace(
        run.row,
        state=state.value,
        stub=not facts.times,
        state_at=_time(facts.silent_end or facts.heard_last or None),
        started_at=_time(started_at(facts)),
        ended_at=_time(ended_at(facts, state)),
        mark=facts.hand_mark,
        nominal_start=_time(facts.get("nominal_start")),
        nominal_end=_time(facts.get("nominal_end")),
        partition=facts.get("partition"),
        params=facts.get("params"),
        version=job_version(JoinedFacts(run.row.id, True, NOTHING, facts, None))
        if facts.times
        else None,
    )
    return msgspec.structs.replace(run, row=row)


def _open_runs(known: dict[str, RunFacts], at: datetime) -> set[str]:
    """Return the runs that reported more later, or were marked by hand."""
    return {
        id_
        for id_, facts in known.items()
        if (last := _last_news(facts)) and datetime.fromisoformat(last) > at
    }


def _last_news(facts: RunFacts) -> str:
    mark = facts.said.get(BY_HAND)
    return max(facts.silent_end or facts.heard_last, mark.at if mark else "")


def _job_at(job: JobDetail, past: RunsAt, facets: Facets) -> JobDetail:
    row = past.rows[job.row.key]
    latest = [past.runs[id_] for id_ in row.runs if id_ in past.runs]
    times = [latest[0].row.state_at, latest[0].row.created_at] if latest else [job.created_at]
    return msgspec.structs.replace(
        job,
        row=msgspec.structs.replace(
            job.row,
            inputs=row.inputs,
            outputs=row.outputs,
            runs=tuple(run.row for run in latest),
            version=latest[0].row.version if latest else None,
        ),
        runs=tuple(latest),
        facets=facets,
        updated_at=max(filter(None, times), default=None),
    )


def _time(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None
