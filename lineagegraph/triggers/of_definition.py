"""The triggers that a pipeline's definition states."""

from collections import Counter
from collections.abc import Collection
from datetime import datetime

from lineagegraph.errors import InvalidRule
from lineagegraph.graph import Transaction
from lineagegraph.model.pipelines.definition import Pipeline
from lineagegraph.model.triggers.trigger import Trigger
from lineagegraph.store.triggers import triggers
from lineagegraph.triggers.write import trigger_id, write_trigger


def write_definition(
    tx: Transaction,
    pipeline: Pipeline,
    *,
    starts: str,
    before: Collection[str] = (),
    now: datetime | None = None,
) -> None:
    """Write the triggers that a pipeline states, and delete those that it stated `before`.

    One without a name has the pipeline's; triggers that were made otherwise stay.
    """
    named = _named(pipeline)
    for name, rule in named.items():
        write_trigger(tx, rule, starts=starts, name=name, namespace=pipeline.namespace, now=now)
    kept = {trigger_id(starts, name) for name in named}
    for old in before:
        if old not in kept:
            triggers.delete_trigger(tx, id=old, now=now)


def withdraw_definition(tx: Transaction, *, starts: str, now: datetime | None = None) -> None:
    """Delete the triggers that a pipeline stated: no file defines it any more."""
    for stated in triggers.list_defined(tx, keys=[starts]):
        triggers.delete_trigger(tx, id=stated.id, now=now)


def _named(pipeline: Pipeline) -> dict[str, Trigger]:
    names = [rule.name or pipeline.name for rule in pipeline.triggers]
    for name, count in Counter(names).items():
        if count > 1:
            raise InvalidRule(
                f"pipeline {pipeline.name} has {count} triggers called {name!r}: "
                "give each a name of its own"
            )
    return dict(zip(names, pipeline.triggers, strict=True))
