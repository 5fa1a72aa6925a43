"""Facts of an event about a run, a job or the use of a dataset: one stamped value per name."""

from datetime import datetime
from typing import Any

from lineagegraph.ingest.batch import Batch
from lineagegraph.model.names.keys import canonical_json
from lineagegraph.model.runs.facts import Stamped
from lineagegraph.model.runs.failed_attempts import FailedAttempt
from lineagegraph.model.runs.hand_mark import BY_HAND, MARKS
from lineagegraph.model.runs.states import EventType, JobKind, RunState, is_mark, marked_state
from lineagegraph.openlineage import InputDataset, JobEvent, OutputDataset, RunEvent
from lineagegraph.openlineage.decode import to_utc
from lineagegraph.openlineage.events import Facets
from lineagegraph.openlineage.objects import get_object

OWN_FACET = "lineagegraph"
_LIFECYCLE = "lifecycleStateChange"  # a facet, and its member
_LONGEST_ERROR = 4000
LARGEST_PAYLOAD = 1_000_000
_KINDS = {
    "PIPELINE": JobKind.PIPELINE,
    "DAG": JobKind.PIPELINE,
    "WORKFLOW": JobKind.PIPELINE,
    "GROUP": JobKind.GROUP,
    "TASK": JobKind.TASK,
    "MODEL": JobKind.TASK,
    "SEED": JobKind.TASK,
    "SNAPSHOT": JobKind.TASK,
    "TEST": JobKind.TASK,
    "APPLICATION": JobKind.APPLICATION,
    "SQL": JobKind.ACTION,
    "SQL_JOB": JobKind.ACTION,
    "RDD_JOB": JobKind.ACTION,
    "SENSOR": JobKind.SENSOR,
}

# Facets that are not forwarded.
_OF_ONE_RUN = ("parent", "jobDependencies", OWN_FACET)
_MAPS = ("params", "emitted", "output", "cost", "files")


def run_sayings(
    batch: Batch, event: RunEvent | JobEvent, at: str, rank: int = 1
) -> dict[str, Stamped]:
    """Return the facts of the facets of a run and of its job."""
    run_facets = event.run.facets if isinstance(event, RunEvent) else {}
    said = _own(run_facets) | _known(run_facets, event.job.facets)
    mark: dict[str, Stamped] = {}
    if isinstance(event, RunEvent) and said_state(event):
        # The reason and the message belong to the mark, and are not said of any other state.
        mark = state_mark(event, at)
        said = {name: value for name, value in said.items() if name not in ("reason", "message")}
    for scope, facets in (("run", run_facets), ("job", event.job.facets)):
        for name, body in facets.items():
            if body is not None and name not in ("parent", OWN_FACET):
                said[f"{scope}:{name}"] = batch.add_facet(name, body)
    stamped = {name: Stamped(rank, at, value) for name, value in said.items()}
    if "kind" in stamped:
        # It is told of the job, which knows no ranks.
        stamped["kind"] = Stamped(1, at, stamped["kind"].value)
    return stamped | mark


def forwarded_sayings(batch: Batch, reference: dict[str, Any], at: str) -> dict[str, Stamped]:
    """Return the facts of the facets that a parent facet forwards of a run and of its job.

    Those of a job are a copy of its own, so the later of both counts; a run knows itself better.
    Source: ParentRunFacet 1-2-0.
    """
    stamped: dict[str, Stamped] = {}
    for rank, scope in ((0, "run"), (1, "job")):
        facets = get_object(reference[scope], "facets")
        if not facets:
            continue
        said = _known(facets, {}) if scope == "run" else _known({}, facets)
        for name, body in facets.items():
            if body is not None and name not in _OF_ONE_RUN:
                said[f"{scope}:{name}"] = batch.add_facet(name, body)
        stamped |= {name: Stamped(rank, at, value) for name, value in said.items()}
    return stamped


def said_state(event: RunEvent) -> RunState | None:
    """Return the state that our own facet gives an event, if this event can have it."""
    return marked_state(get_object(event.run.facets, OWN_FACET).get("state"), event.event_type)


def state_mark(event: RunEvent, at: str) -> dict[str, Stamped]:
    """Return the mark of an event's state with its reason and message, by the state.

    A success that is not counted has a higher rank than other ends that are not.
    """
    state = said_state(event)
    if state is None or not is_mark(state, event.event_type):
        return {}
    own = get_object(event.run.facets, OWN_FACET)
    value = [_text(own.get("reason")), _line(own.get("message"))]
    rank = int(state is not RunState.SUPERSEDED or event.event_type is EventType.COMPLETE)
    return {state.value: Stamped(rank, at, value)}


def silent_since(event: RunEvent) -> str | None:
    """Return the time since which a given-up run was silent, if this event gives it up.

    It is only our guess: any later event of its producer wins.
    """
    if event.event_type is not EventType.FAIL:
        return None
    since = _time(get_object(event.run.facets, OWN_FACET).get("silentSince"))
    # It is compared with the times of events, as texts.
    return datetime.fromisoformat(since).isoformat(timespec="microseconds") if since else None


def hand_mark_said(event: RunEvent, at: str) -> dict[str, Stamped]:
    """Return the mark by hand of an event, or the end of one; empty without either."""
    own = get_object(event.run.facets, OWN_FACET)
    mark = own.get("mark")
    if not isinstance(mark, dict) or event.event_type is not EventType.OTHER:
        return {}
    state, reason, author = (_line(mark.get(part)) for part in ("state", "reason", "author"))
    if state is None:
        return {BY_HAND: Stamped(1, at, None)}
    if state not in MARKS or not reason or not author:
        return {}
    return {BY_HAND: Stamped(1, at, [state, reason, author])}


def failed_attempt(event: RunEvent, at: str) -> FailedAttempt | None:
    """Return the failed attempt that an event of a task reports, if another one follows it."""
    own = get_object(event.run.facets, OWN_FACET)
    retry, attempt = get_object(own, "retry"), _count(own.get("attempt"))
    next_at = _time(retry.get("nextAt"))
    if event.event_type is not EventType.RUNNING or not attempt or not next_at:
        return None
    return FailedAttempt(
        run_id=str(event.run.run_id),
        attempt=attempt,
        at=at,
        next_at=next_at,
        reason=_text(retry.get("reason")),
        message=_line(retry.get("message")),
    )


def use_sayings(dataset: InputDataset | OutputDataset, at: str) -> dict[str, Stamped]:
    """Return the facts of a use: counts, the version, the partitions, the change of the dataset."""
    if isinstance(dataset, InputDataset):
        facets, name = dataset.input_facets, "inputStatistics"
    else:
        facets, name = dataset.output_facets, "outputStatistics"
    statistics, lifecycle = get_object(facets, name), get_object(dataset.facets, _LIFECYCLE)
    said = {
        "row_count": _count(statistics.get("rowCount")),
        "size": _count(statistics.get("size")),
        "file_count": _count(statistics.get("fileCount")),
        "version": _text(get_object(dataset.facets, "version").get("datasetVersion")),
        "partitions": canonical_json(facets["subset"]) if facets.get("subset") else None,
        "change": _text(lifecycle.get(_LIFECYCLE)),
    }
    return {name: Stamped(1, at, value) for name, value in said.items() if value is not None}


def _own(facets: Facets) -> dict[str, Any]:
    """Return the values of our own facet; values of unexpected types are left out."""
    own = get_object(facets, OWN_FACET)
    said: dict[str, Any] = {
        name: _text(own.get(name)) for name in ("version", "reason", "task", "log")
    }
    maps = {name: own[name] for name in _MAPS if isinstance(own.get(name), dict)}
    said |= {name: _payload(value) for name, value in maps.items()}
    said["attempt"] = _count(own.get("attempt"))
    said["message"] = _line(own.get("message"))
    return {name: value for name, value in said.items() if value is not None}


def _payload(values: dict[str, Any]) -> str:
    """Return values as JSON without large ones, which would burden every trigger."""
    text = canonical_json(values)
    if len(text) <= LARGEST_PAYLOAD:
        return text
    size = f"{len(text):,} characters of JSON, of which at most {LARGEST_PAYLOAD:,} count"
    return canonical_json({"left_out": size})


def _known(run_facets: Facets, job_facets: Facets) -> dict[str, Any]:
    nominal, job_type = get_object(run_facets, "nominalTime"), get_object(job_facets, "jobType")
    said = {
        "kind": _KINDS.get(str(job_type.get("jobType")).upper()),
        "processing": _text(job_type.get("processingType")),
        "content_mode": _text(get_object(job_type, "emissionPattern").get("eventContentMode")),
        "nominal_start": _time(nominal.get("nominalStartTime")),
        "nominal_end": _time(nominal.get("nominalEndTime")),
        "partition": _partition(run_facets),
        "tags": _tags(run_facets, job_facets),
        "error": _error(run_facets),
        "extraction": _extraction(run_facets),
        "location": _text(get_object(job_facets, "sourceCodeLocation").get("url")),
    }
    return {name: value for name, value in said.items() if value}


def _error(run_facets: Facets) -> str | None:
    """Return the error of a run; Spark's listener has a facet of its own for it."""
    message = _text(get_object(run_facets, "errorMessage").get("message"))
    trace = _text(get_object(run_facets, "spark.exception").get("stackTrace"))
    return (message or (trace or "").partition("\n\tat ")[0])[:_LONGEST_ERROR] or None


def _extraction(run_facets: Facets) -> str | None:
    """Return how much of the lineage of a run was understood, as the canonical text of a map."""
    facet = get_object(run_facets, "extractionError")
    total, failed = _count(facet.get("totalTasks")), _count(facet.get("failedTasks"))
    if not total or failed is None or not 0 <= failed <= total:
        return None
    score = round(1 - failed / total, 4)
    return canonical_json({"totalTasks": total, "failedTasks": failed, "completeness": score})


def _partition(run_facets: Facets) -> str | None:
    """Return the partition of a run as the canonical text of a map of texts.

    It comes from our own facet, or else from the nominal time.
    """
    said = get_object(get_object(run_facets, OWN_FACET), "partition")
    start = _time(get_object(run_facets, "nominalTime").get("nominalStartTime"))
    if not said and start:
        said = {"nominalStartTime": start}
    texts = {key: v if isinstance(v, str) else canonical_json(v) for key, v in said.items()}
    return canonical_json(texts) if texts else None


def _tags(run_facets: Facets, job_facets: Facets) -> str | None:
    """Return the tags of a run and of its job as the canonical text of a map; the run's win."""
    found = {
        tag["key"]: tag.get("value")
        for facets in (job_facets, run_facets)
        for tag in _list(get_object(facets, "tags").get("tags"))
        if isinstance(tag, dict) and isinstance(tag.get("key"), str)
    }
    return _payload(found) if found else None


def _time(value: Any) -> str | None:
    """Return the canonical spelling of a time, None for an invalid one."""
    try:
        return to_utc(datetime.fromisoformat(value)).isoformat()
    except (TypeError, ValueError, OverflowError):
        return None


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _line(value: Any) -> str | None:
    return value[:_LONGEST_ERROR] if isinstance(value, str) else None


def _count(value: Any) -> int | None:
    is_count = isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**63
    return value if is_count else None
