"""Functions that state batches, whose tasks run only if they are not fresh: `lg.batch`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Unpack

import msgspec

from lineagegraph.authoring.declared import declared
from lineagegraph.authoring.handle import Handle
from lineagegraph.authoring.options import with_options
from lineagegraph.authoring.origin import Origin, caller
from lineagegraph.authoring.pipeline_options import PIPELINE_DEFAULTS, PipelineOptions
from lineagegraph.authoring.pipelines import PipelineHandle, state_pipeline
from lineagegraph.authoring.resolve_tasks import BatchTerms
from lineagegraph.authoring.task_options import checked_freshness
from lineagegraph.authoring.terms import checked_zone
from lineagegraph.errors import DefinitionError, InvalidRule
from lineagegraph.model.freshness.terms import Freshness
from lineagegraph.model.pipelines.definition import Cluster
from lineagegraph.model.triggers.condition import OnCron
from lineagegraph.model.triggers.cron import check_cron
from lineagegraph.model.triggers.trigger import Trigger


@with_options(PipelineOptions, PIPELINE_DEFAULTS)
def batch(
    name: str,
    *,
    tasks: Iterable[Handle],
    schedule: str | Sequence[str] = (),
    zone: str | None = None,
    freshness: Freshness | None = None,
    cluster: Cluster | None = None,
    clusters: Iterable[Cluster] = (),
    **options: Unpack[PipelineOptions],
) -> PipelineHandle:
    """State a batch: a pipeline whose tasks run once while they are fresh, after their parents.

    Each task has terms of freshness for itself, by default `freshness`, and for each task that it
    is after or depends on; without any, a success of today counts. A day begins at midnight in
    `zone`, which also holds for the cron expressions in `schedule`. Tasks run on the `clusters`
    that they name, by default on `cluster`. The other options are those of `lg.pipeline`.
    """
    origin = caller()
    expressions = (schedule,) if isinstance(schedule, str) else tuple(schedule)
    return state_pipeline(
        origin,
        name,
        tasks,
        options,
        triggers=[Trigger(when=cron_of(one, zone, origin)) for one in expressions],
        batch=BatchTerms(
            checked_freshness(freshness, origin),
            checked_zone(zone, origin),
            listed_clusters(cluster, clusters, origin),
        ),
    )


def cron_of(expression: str, zone: str | None, origin: Origin) -> OnCron:
    """Return the condition of a cron expression, by default in the installation's zone."""
    where = zone or declared().zone
    try:
        check_cron(expression, where)
    except InvalidRule as error:
        raise DefinitionError(f"{origin}: schedule: {error}") from None
    return OnCron(cron=" ".join(expression.split()), zone=where)


def listed_clusters(
    own: Cluster | None, named: Iterable[Cluster], origin: Origin
) -> tuple[Cluster, ...]:
    """Return the clusters of a batch: its own, which has no name, and those with a name."""
    found: dict[str, Cluster] = {}
    for one in named:
        if not isinstance(one, Cluster):
            raise DefinitionError(f"{origin}: clusters: {one!r} must be lg.cluster(…)")
        if not one.name:
            raise DefinitionError(f"{origin}: one of the clusters has no name: give it as cluster=")
        if found.setdefault(one.name, one) is not one:
            raise DefinitionError(f"{origin}: two clusters have the name {one.name!r}: rename one")
    if own is None:
        return tuple(found.values())
    if not isinstance(own, Cluster):
        raise DefinitionError(f"{origin}: cluster={own!r} must be lg.cluster(…)")
    return (msgspec.structs.replace(own, name=""), *found.values())
