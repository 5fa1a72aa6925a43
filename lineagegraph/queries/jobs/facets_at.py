"""The facets of jobs at a past time: the latest of each name by then."""

from collections.abc import Iterable, Mapping
from datetime import datetime

import msgspec

from lineagegraph.graph import Transaction
from lineagegraph.model.runs.facts import RunFacts, Stamped
from lineagegraph.queries.runs.run_details import Facets
from lineagegraph.queries.runs.use_facets import drop_deleted
from lineagegraph.store.jobs.details import list_job_facets
from lineagegraph.store.runs.facets import list_bodies

_OF_JOB = "job:"
Stamps = dict[str, Stamped]


def facet_stamps(facts: RunFacts, at: datetime | None = None) -> Stamps:
    """Return the facets of a job in the facts of a run or a job event, as hashes by name.

    With a time, those that were stated later are left out.
    """
    return {
        said.removeprefix(_OF_JOB): stamp
        for said, stamp in facts.said.items()
        if said.startswith(_OF_JOB)
        and stamp.value
        and (at is None or datetime.fromisoformat(stamp.at) <= at)
    }


def facets_at(
    tx: Transaction,
    stated: Mapping[str, Iterable[Stamps]],
    at: datetime,
    replayed: Mapping[str, str],
) -> dict[str, Facets]:
    """Return the facets that jobs had at a time, by the key of the job.

    `stated` has those in events and in runs by then; a facet that no later event stated again is
    found without them. `replayed` has bodies by hash.
    """
    stamps = {key: _joined(some) for key, some in stated.items()}
    hashes = {stamp.value for some in stamps.values() for stamp in some.values()}
    bodies = {row.hash: row.body for row in list_bodies(tx, hashes=sorted(hashes))}
    bodies |= replayed
    found = {
        key: {
            name: msgspec.Raw(bodies[stamp.value].encode())
            for name, stamp in some.items()
            if stamp.value in bodies
        }
        for key, some in stamps.items()
    }
    for row in list_job_facets(tx, keys=sorted(found), name=None):
        if row.at <= at:
            found[row.key][row.name] = msgspec.Raw(row.body.encode())
    return {key: drop_deleted(facets) for key, facets in found.items()}


def _joined(stated: Iterable[Stamps]) -> Stamps:
    found: Stamps = {}
    for stamps in stated:
        found |= {name: found.get(name, stamp) | stamp for name, stamp in stamps.items()}
    return found
