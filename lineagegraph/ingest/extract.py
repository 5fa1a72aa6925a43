"""From events to facts."""

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from msgspec.structs import replace

from lineagegraph.errors import InvalidEvent
from lineagegraph.ingest.archive import event_row
from lineagegraph.ingest.batch import Batch
from lineagegraph.ingest.claims import without
from lineagegraph.ingest.dependencies import add_dependencies
from lineagegraph.ingest.facts import (
    failed_attempt,
    forwarded_sayings,
    hand_mark_said,
    run_sayings,
    said_state,
    silent_since,
)
from lineagegraph.ingest.masking import mask_event
from lineagegraph.ingest.names import check_name, find_reference
from lineagegraph.ingest.uses import dataset_facts, event_uses, stated_version
from lineagegraph.ingest.verdicts import read_verdicts
from lineagegraph.model.names.keys import canonical_hash, job_key
from lineagegraph.model.runs.facts import HEARD_OF, REPORTED, SILENT, RunFacts, Stamped, TimeSpan
from lineagegraph.model.runs.states import EventType, RunState
from lineagegraph.openlineage import (
    AnyEvent,
    DatasetEvent,
    JobEvent,
    RunEvent,
    decode_event,
    identify_runs,
)
from lineagegraph.openlineage.decode import to_utc
from lineagegraph.openlineage.objects import get_object
from lineagegraph.openlineage.run_ids import SentRunId


def extract(
    bodies: Iterable[Any], *, author: str | None = None, claims: Sequence[str] = ()
) -> Batch:
    """Return the facts of decoded JSON events, without secrets.

    `author` is the name of the token that sent them. The parts at the JSON paths `claims` are
    kept in the event, and are no facts. Raises `InvalidEvent` at the first that is no event.
    """
    return extract_masked(map(mask_event, bodies), author=author, claims=claims)


def extract_masked(
    bodies: Iterable[Any], *, author: str | None = None, claims: Sequence[str] = ()
) -> Batch:
    """Return the facts of events as `extract` does; their secrets are masked already."""
    batch = Batch()
    for body in bodies:
        stated = identify_runs(without(body, claims))
        event = decode_event(identify_runs(body).event if claims else stated.event)
        add_event(batch, decode_event(stated.event) if claims else event)
        _add_sent_ids(batch, stated.named, _spell_time(event))
        row = event_row(batch, event, body) | {"author": author, "claims": list(claims) or None}
        batch.events[row["id"]] = row
    return batch


def add_event(batch: Batch, event: AnyEvent) -> None:
    """Join one event's facts to a batch."""
    at = _spell_time(event)
    if isinstance(event, RunEvent):
        _add_run_event(batch, event, at)
    elif isinstance(event, JobEvent):
        _add_job_event(batch, event, at)
    else:
        _add_dataset_event(batch, event, at)


def _add_sent_ids(batch: Batch, named: Iterable[SentRunId], at: str) -> None:
    """Keep the ids of runs that were no UUIDs, as they were sent."""
    for run in named:
        if run.id in batch.runs:
            sent = Stamped(HEARD_OF, at, run.sent)
            batch.add_run(run.id, RunFacts(said={"external_id": sent}))


def _spell_time(event: AnyEvent) -> str:
    try:
        return to_utc(event.event_time).isoformat(timespec="microseconds")
    except OverflowError:
        raise InvalidEvent(
            "the time is outside the years 1 to 9999 in UTC", "$.eventTime"
        ) from None


def _add_run_event(batch: Batch, event: RunEvent, at: str) -> None:
    run_id = str(event.run.run_id)
    since = silent_since(event)
    judged = {SILENT: Stamped(REPORTED, at, since)} if since else hand_mark_said(event, at)
    if judged:
        # Not the run's own word: it is no sign of life.
        judged["name"] = Stamped(HEARD_OF, at, check_name(event.job.namespace, event.job.name))
        batch.add_run(run_id, RunFacts(heard_at=at, said=judged))
        return
    if failed := failed_attempt(event, at):
        batch.failed_attempts.append(failed)
    kind, rank = event.event_type, REPORTED
    if said_state(event) is RunState.SUPERSEDED:
        # It was heard of, no more: whoever the run belongs to knows it better.
        kind, rank = EventType.OTHER, HEARD_OF
    name = check_name(event.job.namespace, event.job.name)
    said = {"name": Stamped(rank, at, name), **run_sayings(batch, event, at, rank)}
    parent = get_object(event.run.facets, "parent")
    if parent and (stated := _add_parent(batch, run_id, parent, at, rank)):
        said["parent"] = stated
    add_dependencies(batch, run_id, name, event.run.facets.get("jobDependencies"), at)
    facts = RunFacts(heard_at=at, times={kind: TimeSpan(at, at)}, said=said)
    batch.add_run(run_id, facts | event_uses(batch, event, at))


def _add_parent(
    batch: Batch, run_id: str, facet: dict[str, Any], at: str, rank: int
) -> Stamped | None:
    """Add the facts of a parent facet about the parent and the root; return the run's parent.

    The root is taken for the parent's parent until the parent reports one itself. A run that names
    itself, or a parent in an invalid way, has no parent but the root.
    """
    found = find_reference(facet)
    known = {run_id, found[0]} if found else {run_id}
    root_id = _add_root(batch, known, facet.get("root"), at)
    root = Stamped(HEARD_OF, at, root_id) if root_id else None
    if found is None or found[0] == run_id:
        return root
    parent_id, name = found
    said = {"name": Stamped(HEARD_OF, at, name)} | ({"parent": root} if root else {})
    said |= forwarded_sayings(batch, facet, at)
    batch.add_run(parent_id, RunFacts(heard_at=at, said=said))
    return Stamped(rank, at, parent_id)


def _add_root(batch: Batch, below: Collection[str], facet: Any, at: str) -> str | None:
    """Add the facts of a parent facet about the root, and return its id unless it is `below`."""
    found = find_reference(facet)
    if found is None or found[0] in below:
        return None
    root_id, name = found
    said = {"name": Stamped(HEARD_OF, at, name)} | forwarded_sayings(batch, facet, at)
    batch.add_run(root_id, RunFacts(heard_at=at, said=said))
    return root_id


def _add_job_event(batch: Batch, event: JobEvent, at: str) -> None:
    namespace, name = check_name(event.job.namespace, event.job.name)
    said = {
        "name": Stamped(REPORTED, at, [namespace, name]),
        **run_sayings(batch, event, at),
    }
    uses = event_uses(batch, event, at)
    versions = {_stated_version([namespace, name], said, uses): at}
    facts = RunFacts(heard_at=at, said=said, versions=versions) | uses
    batch.add_declaration(job_key(None, namespace, name), facts)


def _stated_version(name: list[str], said: dict[str, Stamped], uses: RunFacts) -> str:
    """Return the hash of the version that a job event states; facets are part of it.

    Without facets it is the version of a run with the same inputs and outputs.
    """
    location = said["location"].value if "location" in said else None
    facets = {part: one.value for part, one in said.items() if part.startswith("job:")}
    facets.pop("job:sourceCodeLocation", None)
    more = [facets] if facets else []
    return canonical_hash([*name, sorted(uses.inputs), sorted(uses.outputs), location, *more])


def _add_dataset_event(batch: Batch, event: DatasetEvent, at: str) -> None:
    dataset = event.dataset
    namespace, name = check_name(dataset.namespace, dataset.name, "$.dataset")
    facts = dataset_facts(batch, namespace, name, dataset.facets, REPORTED, at)
    facts = replace(facts, verdicts=read_verdicts(at, dataset.facets))
    batch.add_dataset(stated_version(facts, REPORTED, at))
