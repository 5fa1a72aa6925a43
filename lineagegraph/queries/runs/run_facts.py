"""The facts of a run as names with values, most important first."""

import json
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any

from lineagegraph.model.runs.cost import describe_cost
from lineagegraph.queries.runs.facet_facts import list_facet_facts
from lineagegraph.queries.runs.runs import WholeRun
from lineagegraph.reruns.files import Reproduction
from lineagegraph.store.runs.history import WholeRunRow
from lineagegraph.text import duration, first_line

Fact = str | datetime | timedelta


def list_facts(whole: WholeRun) -> Iterator[tuple[str, Fact]]:
    """Yield each known fact about a run, except its tasks and its data."""
    run = whole.run
    facts: dict[str, Fact | None] = {
        "run": run.id,
        "job": run.name,
        "state": run.state,
        "started": run.started_at or run.created_at,
        "took": duration(run.started_at, run.ended_at),
        "version": run.version,
        "pinned": whole.pin,
        "attempt": str(run.attempt) if (run.attempt or 1) > 1 else None,
        "parameters": _values(whole.params),
        "variables": _values(whole.variables),
        "emitted": _values(whole.emitted),
        "returned": _returned(whole),
        "cost": describe_cost(whole.cost) if whole.cost else None,
        "reason": run.reason,
        "message": run.message,
        "error": first_line(run.error),
        "seen": run.acknowledgement.text if run.acknowledgement else None,
        "started by": whole.started_by.reason if whole.started_by else None,
        "rerun of": _rerun(run),
        "outputs": _compared(whole.outputs),
        "files read": ", ".join(state.path for state in whole.files.read),
        "files written": ", ".join(state.path for state in whole.files.written),
        "backfill": run.backfill,
        "log": run.log,
    }
    yield from ((name, value) for name, value in facts.items() if value is not None and value != "")
    yield from (("note", note.line) for note in whole.notes)
    yield from list_facet_facts(whole.facets)
    yield from ((fact.name, f"{fact.value}  ({fact.dataset})") for fact in whole.use_facts)
    yield from ((one.part, f"{one.job}  run {one.run}  ({one.state})") for one in whole.orders)
    for firing in whole.fired:
        yield "fired", f"{firing.starts}  run {firing.run}  ({firing.reason or ''})"


def _returned(whole: WholeRun) -> str | None:
    if whole.returned is None:
        return None
    return json.dumps(whole.returned, ensure_ascii=False)


def _rerun(run: WholeRunRow) -> str | None:
    """Return the original run of a rerun, with the policy and the rerun's number."""
    if run.rerun_of is None:
        return None
    return f"{run.rerun_of}  ({run.rerun_policy}, number {run.rerun_number})"


def _compared(outputs: Mapping[str, Reproduction]) -> str:
    """Return whether a rerun wrote the files of its original again."""
    if not outputs:
        return ""
    by_result = {
        result: [path for path, found in outputs.items() if found is result]
        for result in Reproduction
    }
    same = by_result.pop(Reproduction.SAME)
    parts = [f"{result} {', '.join(paths)}" for result, paths in by_result.items() if paths]
    return "; ".join([f"reproduced {len(same)} of {len(outputs)}", *parts])


def _values(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{k}={json.dumps(v, ensure_ascii=False)}" for k, v in values.items())
