"""The properties of a Run node, as they follow from its facts."""

from typing import Any

from lineagegraph.ingest.column_facets import dimension_names, partition_keys
from lineagegraph.ingest.joined import JoinedFacts, job_version, stream_versions
from lineagegraph.model.names.keys import canonical_json
from lineagegraph.model.runs.facts import SILENT, RunFacts, Use, encode_facts
from lineagegraph.model.runs.hand_mark import BY_HAND, MARKED
from lineagegraph.model.runs.states import FINAL, EventType, RunState
from lineagegraph.model.triggers.predicate import STATISTICS
from lineagegraph.model.typed import decode_json

_PLAIN = (
    "kind",
    "partition",
    "version",
    "params",
    "emitted",
    "output",
    "cost",
    "files",
    "attempt",
    "task",
    "log",
    "error",
    "external_id",
)
_ENDS = {
    RunState.COMPLETED: EventType.COMPLETE,
    RunState.FAILED: EventType.FAIL,
    RunState.KILLED: EventType.ABORT,
    RunState.FRESH_SKIP: EventType.COMPLETE,
    RunState.SKIPPED: EventType.ABORT,
}
_SILENT_ERROR = "no more events were received"
_STATISTICS = {"row_count": "rowCount", "size": "size", "file_count": "fileCount"}
_NOMINAL = {"nominal_start": "nominalStartTime", "nominal_end": "nominalEndTime"}
_COUNTS = ("row_count", "size", "file_count", "version", "partitions")


def run_row(run: JoinedFacts) -> dict[str, Any]:
    """Return the row that `store.runs.set_runs` takes; its times are texts."""
    facts, state = run.after, run.state
    namespace, name = run.name
    mark = facts.hand_mark
    versions = stream_versions(run)
    properties = {
        "namespace": namespace,
        "name": name,
        "state": state.value,
        "stub": not facts.times,
        "kind_said": kind_said(facts),
        "job_version": job_version(run),
        "stream_versions": list(versions) or None,
        "stream_times": list(versions.values()) or None,
        "facts": encode_facts(facts),
        **{part: facts.get(part) for part in _PLAIN},
        "reported": reported_values(facts),
        "completeness": _completeness(facts),
        **reason_and_message(facts),
        "marked_by": mark.author if mark else None,
        "mark_reason": mark.reason if mark else None,
        "marked_from": mark.before.value if mark else None,
    }
    if facts.silent_end and not facts.hand_mark:
        properties |= {"reason": SILENT, "error": _SILENT_ERROR}
    times: dict[str, str | None] = {
        f"{kind.lower()}_time": span.last for kind, span in facts.times.items()
    }
    times |= {"started_at": started_at(facts), "ended_at": ended_at(facts, state)}
    times |= {part: facts.get(part) for part in ("nominal_start", "nominal_end")}
    times |= {"heard_at": facts.heard_at}
    times |= {"marked_at": mark.at.isoformat() if mark else None}
    times |= {"unmarked_at": _unmarked_at(facts)}
    return {"id": run.id, "times": times, "properties": properties}


def _unmarked_at(facts: RunFacts) -> str | None:
    """Return when a mark by hand was taken back."""
    said = facts.said.get(BY_HAND)
    return said.at if said and not said.value else None


def use_properties(use: Use) -> dict[str, Any]:
    """Return the properties of a READS or WRITES relationship, apart from its times."""
    stated = {part: use.get(part) for part in _COUNTS}
    keys = partition_keys(use.get("partitions"))
    return stated | {
        "schema": use.schema,
        "partition_keys": keys,
        "dimensions": dimension_names(keys) if keys else None,
    }


def reported_values(facts: RunFacts) -> str | None:
    """Return the values of standard facets that conditions can test, as JSON by facet and name.

    The counts are sums over all outputs.
    """
    counts = {
        standard: [count for use in facts.outputs.values() if (count := use.get(own)) is not None]
        for own, standard in _STATISTICS.items()
    }
    times = {standard: facts.get(own) for own, standard in _NOMINAL.items()}
    tags, extraction = facts.get("tags"), facts.get("extraction")
    found = {
        STATISTICS: {name: sum(each) for name, each in counts.items() if each},
        "nominalTime": {name: time for name, time in times.items() if time},
        "tags": decode_json(tags, into=dict[str, Any]) if tags else {},
        "extractionError": decode_json(extraction, into=dict[str, Any]) if extraction else {},
    }
    filled = {facet: values for facet, values in found.items() if values}
    return canonical_json(filled) if filled else None


def _completeness(facts: RunFacts) -> float | None:
    """Return the share of a run's lineage that was understood, if some was not."""
    extraction = facts.get("extraction")
    score = decode_json(extraction, into=dict[str, float])["completeness"] if extraction else 1
    return score if score < 1 else None


def started_at(facts: RunFacts) -> str | None:
    """Return the start of a run: its first START, or else its first event.

    A run with only OTHER events has not started, nor has a waiting one.
    """
    if EventType.START in facts.times:
        return facts.times[EventType.START].first
    if facts.times.keys() <= {EventType.OTHER}:
        return None
    silent = {EventType.OTHER} if RunState.WAITING in facts.said else set()
    return min(span.first for kind, span in facts.times.items() if kind not in silent)


def reason_and_message(facts: RunFacts) -> dict[str, str | None]:
    """Return the reason and message of a run's state; those of a wait end with it."""
    if facts.hand_mark:
        return {"reason": MARKED, "message": facts.hand_mark.text}
    mark = facts.mark
    reason, message = mark.value if mark else (facts.get("reason"), facts.get("message"))
    return {"reason": reason, "message": message}


def kind_said(facts: RunFacts) -> str:
    """Return the kind with the time of its report in front: the larger text is the later word."""
    stated = facts.said.get("kind")
    return f"{stated.at} {stated.value}" if stated else ""


def ended_at(facts: RunFacts, state: RunState) -> str | None:
    """Return when a run came to the state that it ended in; a mark by hand does not change it."""
    if state not in FINAL:
        return None
    if facts.own_state is RunState.SUPERSEDED:
        return facts.said[RunState.SUPERSEDED].at
    return facts.silent_end or facts.times[_ENDS[facts.own_state]].last
