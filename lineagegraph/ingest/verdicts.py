"""Verdicts of assertions: from facets to facts, and from facts to the graph."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from lineagegraph.graph import Transaction
from lineagegraph.ingest.batch import Batch
from lineagegraph.ingest.column_facets import list_maps
from lineagegraph.ingest.joined import JoinedFacts
from lineagegraph.model.names.keys import assertion_key, canonical_json
from lineagegraph.model.runs.facts import DatasetFacts, RunFacts, Stamped
from lineagegraph.model.runs.states import RunState
from lineagegraph.model.typed import decode_json
from lineagegraph.model.verdicts import QualityVerdict
from lineagegraph.openlineage.events import Facets
from lineagegraph.store.datasets import assertions

_FACET = "dataQualityAssertions"
_LONGEST_NAME = 1000
_LONGEST_VALUE = 200
_WARNINGS = ("warn", "warning")
Known = Mapping[str, tuple[DatasetFacts | None, DatasetFacts]]
Row = dict[str, Any]
Verdicts = dict[tuple[str, str], Stamped]


def read_verdicts(at: str, *scopes: Facets) -> dict[str, Stamped]:
    """Return the verdicts in the facets of a dataset, by the name and column of the assertion.

    The value is the rank of the verdict, then what was expected and found. If one event has
    several for the same assertion, the worst counts, so that the order makes no difference.
    """
    found: dict[str, Stamped] = {}
    for facets in scopes:
        facet = facets.get(_FACET)
        for said in list_maps(facet.get("assertions") if isinstance(facet, dict) else None):
            name, column = said.get("name") or said.get("assertion"), said.get("column") or None
            if not _is_name(name) or not (column is None or _is_name(column)):
                continue
            if (verdict := _verdict(said)) is not None:
                values = [_text(said.get(key)) for key in ("expected", "actual")]
                stamped = Stamped(1, at, [verdict.rank, *values])
                key = canonical_json([name, column])
                found[key] = found[key] | stamped if key in found else stamped
    return found


def judged_datasets(batch: Batch) -> list[str]:
    """Return the keys of the datasets about which a batch has verdicts."""
    keys = {key for key, facts in batch.datasets.items() if facts.verdicts}
    for facts in batch.runs.values():
        keys |= {dataset for (dataset, _), _ in _each(facts)}
    return sorted(keys)


def link_verdicts(tx: Transaction, runs: Iterable[JoinedFacts], known: Known) -> None:
    """Write the verdicts that are news, and the latest one of each assertion."""
    given, withdrawn, stated = [], [], []
    for run in runs:
        before, after = _counted(run.before, run.state_before), _counted(run.after, run.state)
        given += [
            _row(*at, stamped) | {"run_id": run.id}
            for at, stamped in after.items()
            if before.get(at) != stamped
        ]
        withdrawn += [_row(*at, before[at]) | {"run_id": run.id} for at in before.keys() - after]
    for dataset, (was, facts) in known.items():
        stated += [
            _row(dataset, key, stamped)
            for key, stamped in facts.verdicts.items()
            if not was or was.verdicts.get(key) != stamped
        ]
    keys = sorted({row["dataset_key"] for row in (*given, *withdrawn, *stated)})
    if keys:
        assertions.merge_verdicts(tx, given=given, withdrawn=withdrawn, stated=stated)
        assertions.set_latest(tx, keys=keys)


def _counted(facts: RunFacts, state: RunState) -> Verdicts:
    """Return the verdicts of a run; one that is superseded gave none that counts."""
    found: Verdicts = {}
    for at, stamped in () if state is RunState.SUPERSEDED else _each(facts):
        found[at] = found[at] | stamped if at in found else stamped
    return found


def _each(facts: RunFacts) -> Iterator[tuple[tuple[str, str], Stamped]]:
    for uses in (facts.inputs, facts.outputs):
        for dataset, use in uses.items():
            for key, stamped in use.verdicts.items():
                yield (dataset, key), stamped


def _row(dataset: str, key: str, stamped: Stamped) -> Row:
    name, column = decode_json(key, into=tuple[str, str | None])
    rank, expected, actual = stamped.value
    return {
        "key": assertion_key(dataset, name, column),
        "dataset_key": dataset,
        "name": name,
        "column": column,
        "verdict": QualityVerdict.of_rank(rank),
        "rank": rank,
        "at": stamped.at,
        "expected": expected,
        "actual": actual,
    }


def _verdict(said: Mapping[str, Any]) -> QualityVerdict | None:
    success = said.get("success")
    if not isinstance(success, bool):
        return None
    if success:
        return QualityVerdict.PASSED
    is_warning = str(said.get("severity")).lower() in _WARNINGS
    return QualityVerdict.WARNED if is_warning else QualityVerdict.FAILED


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and 0 < len(value) <= _LONGEST_NAME


def _text(value: Any) -> str | None:
    return value[:_LONGEST_VALUE] if isinstance(value, str) else None
