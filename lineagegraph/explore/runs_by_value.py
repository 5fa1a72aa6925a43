"""The newest run for each value of a part of the partition: twenty regions are one job."""

import msgspec

from lineagegraph.explore.run_details import RunDetail, list_runs
from lineagegraph.explore.window import Window, newest_by_value
from lineagegraph.graph import Transaction
from lineagegraph.store.details import list_writes


class RunFor(msgspec.Struct, frozen=True):
    """The newest run for a value of a part of the partition."""

    value: str
    run: RunDetail


def runs_by_value(
    tx: Transaction, keys: list[str], window: Window, part: str, inherit: bool
) -> dict[str, tuple[RunFor, ...]]:
    """Return the newest run for each value of a part of the partition, by job and by dataset."""
    newest = newest_by_value(tx, keys, window, part)
    ids = sorted({run for runs in newest.values() for run in runs.values()})
    details = {run.row.id: run for run in list_runs(tx, ids, inherit)}
    found = {
        key: {value: details[run] for value, run in runs.items() if run in details}
        for key, runs in newest.items()
    }
    values = {run: value for runs in newest.values() for value, run in runs.items()}
    for use in list_writes(tx, ids=ids):
        known = found.setdefault(use.dataset, {})
        run, value = details[use.id], values[use.id]
        known[value] = max(known.get(value, run), run, key=_age)
    return {
        key: tuple(RunFor(value, run) for value, run in sorted(runs.items()))
        for key, runs in found.items()
    }


def _age(run: RunDetail) -> tuple[str, str]:
    return (run.row.created_at.isoformat() if run.row.created_at else "", run.row.id)
