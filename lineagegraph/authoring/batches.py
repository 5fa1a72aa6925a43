"""What a definition file calls to state a batch: tasks that run once while they are fresh."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from lineagegraph.authoring.dates import Day
from lineagegraph.authoring.declared import declared
from lineagegraph.authoring.handle import Handle
from lineagegraph.authoring.origin import Origin, caller
from lineagegraph.authoring.parents import BatchTerms
from lineagegraph.authoring.pipelines import PipelineHandle, state_pipeline
from lineagegraph.authoring.task_options import terms_of
from lineagegraph.authoring.terms import checked_zone
from lineagegraph.authoring.triggers import Stated, stated_triggers
from lineagegraph.errors import DefinitionError, InvalidRule
from lineagegraph.model.freshness.terms import Freshness
from lineagegraph.model.pipelines.definition import Cluster
from lineagegraph.model.triggers.condition import OnCron
from lineagegraph.model.triggers.cron import check_cron
from lineagegraph.model.triggers.trigger import Trigger


def batch(
    name: str,
    *,
    tasks: Iterable[Handle],
    schedule: str | Sequence[str] = (),
    zone: str | None = None,
    freshness: Freshness | None = None,
    cluster: Cluster | None = None,
    clusters: Iterable[Cluster] = (),
    params: Mapping[str, Any] | None = None,
    partition_by: str | Sequence[str] = (),
    trigger: Stated = None,
    spark: Mapping[str, Any] | None = None,
    namespace: str | None = None,
    concurrency: int = 4,
    description: str | None = None,
    start_date: Day | None = None,
    end_date: Day | None = None,
    rerun: str | None = None,
) -> PipelineHandle:
    """State a batch: a pipeline whose tasks run once while they are fresh, after what they need.

    Each task has terms of freshness for itself, `freshness` where it says nothing, and for each
    task that it is after or depends on; without any they are those of today, which begins in
    `zone`. So do cron expressions in `schedule`. Tasks run on the `clusters` that they name, else
    on `cluster`. The rest is as for `lg.pipeline`.
    """
    origin = caller()
    expressions = (schedule,) if isinstance(schedule, str) else tuple(schedule)
    scheduled = (Trigger(when=cron_of(one, zone, origin)) for one in expressions)
    return state_pipeline(
        origin,
        name,
        tasks=tasks,
        params=params,
        partition_by=partition_by,
        triggers=(*scheduled, *stated_triggers(trigger, origin)),
        spark=spark,
        namespace=namespace,
        concurrency=concurrency,
        description=description,
        start_date=start_date,
        end_date=end_date,
        rerun=rerun,
        batch=BatchTerms(
            terms_of(freshness, origin),
            checked_zone(zone, origin),
            listed_clusters(cluster, clusters, origin),
        ),
    )


def cron_of(expression: str, zone: str | None, origin: Origin) -> OnCron:
    """Return the times of a cron expression; without a zone they are in the installation's."""
    where = zone or declared().zone
    try:
        check_cron(expression, where)
    except InvalidRule as error:
        raise DefinitionError(f"{origin}: schedule: {error}") from None
    return OnCron(cron=" ".join(expression.split()), zone=where)


def listed_clusters(
    own: Cluster | None, named: Iterable[Cluster], origin: Origin
) -> tuple[Cluster, ...]:
    """Return the clusters of a batch, its own one without a name; the others have one each."""
    found: dict[str, Cluster] = {}
    for one in named:
        if not isinstance(one, Cluster):
            raise DefinitionError(f"{origin}: clusters: {one!r} is no lg.cluster(…)")
        if not one.name:
            raise DefinitionError(f"{origin}: one of the clusters has no name: give it as cluster=")
        if found.setdefault(one.name, one) is not one:
            raise DefinitionError(f"{origin}: there are two clusters {one.name!r}: rename one")
    if own is None:
        return tuple(found.values())
    if not isinstance(own, Cluster):
        raise DefinitionError(f"{origin}: cluster={own!r} must be lg.cluster(…)")
    return (msgspec.structs.replace(own, name=""), *found.values())
