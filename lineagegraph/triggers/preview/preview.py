"""When a rule would have fired, had it been there: nothing is written."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any

import msgspec

from lineagegraph.errors import InvalidParameter
from lineagegraph.graph import Transaction
from lineagegraph.model.pipelines.definition import Pipeline
from lineagegraph.model.pipelines.parameters import resolve_params
from lineagegraph.model.pipelines.scheduled import scheduled_values
from lineagegraph.model.pipelines.upstream import Upstream, offered
from lineagegraph.model.triggers.check import check_trigger
from lineagegraph.model.triggers.condition import AnyCondition, OnCron, OnSensor, leaves_of, tag_of
from lineagegraph.model.triggers.describe import describe_condition
from lineagegraph.model.triggers.predicate import read_payload
from lineagegraph.model.triggers.trigger import Overlap, Trigger
from lineagegraph.model.typed import decode_json
from lineagegraph.store.admin.clock import get_time
from lineagegraph.store.pipelines import versions
from lineagegraph.store.triggers.cells import WaitingOccurrence
from lineagegraph.store.triggers.firings import Payload
from lineagegraph.store.triggers.previews import PastOccurrence
from lineagegraph.triggers.arguments import MissingArgument, map_arguments
from lineagegraph.triggers.check_names import check_names
from lineagegraph.triggers.condition_nodes import make_tree
from lineagegraph.triggers.occurrences import Refused
from lineagegraph.triggers.preview.cells import Fired
from lineagegraph.triggers.preview.past import MOST, PastStart, ReplayWindow, read_past
from lineagegraph.triggers.preview.replay import Dates, Replay

WEEK = timedelta(days=7)
_REFUSED = 20


class Cause(msgspec.Struct, frozen=True):
    """An occurrence that a firing would consume: a run's end, a version, an event or a time."""

    kind: str
    name: str
    status: str
    at: datetime
    run_id: str | None


class Foreseen(msgspec.Struct, frozen=True):
    """A firing of the replay; `trouble` is the reason if its run could not have started.

    `value` is the correlated value, `parameters` are those of the run.
    """

    at: datetime
    value: str | None
    reason: str
    causes: tuple[Cause, ...]
    parameters: dict[str, Any]
    trouble: str | None


class Preview(msgspec.Struct, frozen=True):
    """The firings of a replay; `notes` list its limits.

    `refused` are occurrences that would not have counted, newest first.
    """

    since: datetime
    until: datetime
    happened: int
    firings: tuple[Foreseen, ...]
    refused: tuple[str, ...]
    notes: tuple[str, ...]


def preview_trigger(
    tx: Transaction,
    rule: Trigger,
    *,
    starts: str,
    namespace: str,
    span: timedelta = WEEK,
    now: datetime | None = None,
) -> Preview:
    """Return the firings of a rule in the last `span`, as if it had existed and been enabled.

    `starts` and `namespace` are as for `write_trigger`, and so are the errors.
    """
    check_trigger(rule)
    check_names(tx, rule, starts=starts, namespace=namespace)
    until = now or get_time(tx)
    time = ReplayWindow(until - span, until)
    nodes = make_tree("preview", rule.when)
    past = read_past(tx, nodes, PastStart(starts, namespace), rule.correlate_by, time)
    text = versions.get_definition(tx, job_key=starts)
    pipeline = decode_json(text, into=Pipeline) if text else None
    replay = Replay(rule, nodes, time, dates_of(pipeline))
    fired = list(replay.fire(past))
    known = {replay.key_of(one): one for one in past}
    conditions = {node.id: node.condition for node in nodes}
    texts = {id_: describe_condition(condition) for id_, condition in conditions.items()}
    return Preview(
        time.since,
        time.until,
        len({(one.subject, one.subject_id) for one in past}),
        tuple(foresee(one, rule, pipeline, known, conditions) for one in fired),
        tuple(_newest(replay.refused)),
        tuple(_notes(rule, past, texts)),
    )


def dates_of(pipeline: Pipeline | None) -> Dates:
    """Return between which times the schedules of a pipeline count."""
    return Dates(pipeline.start_date, pipeline.end_date) if pipeline else Dates()


def foresee(
    fired: Fired,
    rule: Trigger,
    pipeline: Pipeline | None,
    known: dict[str, PastOccurrence],
    conditions: dict[str, AnyCondition],
) -> Foreseen:
    """Return a firing of a replay with the parameters of its run, or why it cannot start."""
    chosen = [one for one in fired.taken if one.key in fired.chosen]
    payloads = [_payload(one, known.get(one.key)) for one in chosen]
    upstream = [_upstream(one, conditions[one.condition_id]) for one in payloads]
    parameters, trouble = _parameters(rule, pipeline, payloads, upstream)
    causes = tuple(
        _cause(one, known.get(one.key), conditions[one.condition_id]) for one in fired.taken
    )
    return Foreseen(fired.at, fired.value, fired.reason, causes, parameters, trouble)


def _cause(held: WaitingOccurrence, past: PastOccurrence | None, what: AnyCondition) -> Cause:
    if past is None:
        return Cause("time", describe_condition(what), held.status, held.occurred_at, None)
    return Cause(past.subject, past.name, held.status, held.occurred_at, past.run_id)


def _payload(held: WaitingOccurrence, past: PastOccurrence | None) -> Payload:
    return Payload(
        key="",
        condition_id=held.condition_id,
        job=past.job if past else None,
        simple_name=past.simple_name if past else None,
        subject=held.subject,
        status=held.status,
        occurred_at=held.occurred_at,
        params=past.params if past else None,
        emitted=past.emitted if past else None,
        reported=past.reported if past else None,
    )


def _parameters(
    rule: Trigger,
    pipeline: Pipeline | None,
    payloads: Sequence[Payload],
    upstream: Sequence[Upstream],
) -> tuple[dict[str, Any], str | None]:
    """Return the parameters of a run, as a worker does, or the reason if it cannot start."""
    given: dict[str, Any] = dict(rule.properties)
    try:
        given |= map_arguments(rule, payloads)
        if pipeline is not None:
            named = offered(pipeline.parameters, upstream)
            given = scheduled_values(pipeline, upstream) | named | given
            resolve_params(pipeline, given)
    except (MissingArgument, InvalidParameter) as error:
        return given, str(error)
    return given, None


def _upstream(one: Payload, what: AnyCondition) -> Upstream:
    return Upstream(
        status=one.status or "",
        at=one.occurred_at,
        chosen=True,
        zone=what.zone if isinstance(what, OnCron) else None,
        payload=read_payload(one.params, one.emitted, one.reported),
    )


def _newest(refused: Sequence[Refused]) -> list[str]:
    return [one.text for one in reversed(refused)][:_REFUSED]


def _notes(rule: Trigger, past: Iterable[PastOccurrence], texts: dict[str, str]) -> Iterator[str]:
    for id_, count in Counter(one.condition_id for one in past).items():
        if count >= MOST:
            yield f"{texts[id_]}: only the newest {MOST:,} occurrences are used"
    for leaf in leaves_of(rule.when):
        if isinstance(leaf, OnSensor):
            text = describe_condition(leaf)
            yield f"{text}: earlier results of sensors are not stored, so it counts as never true"
    limits = [tag_of(constraint) for constraint in rule.constraints]
    limits += ["overlap"] if rule.overlap is not Overlap.ALLOW else []
    if limits:
        yield f"limits ({', '.join(limits)}) are not applied: the preview shows firings only"
