"""Queue runs of the tasks that a task waits for, for a run with upstream."""

import json
from collections.abc import Mapping

from lineagegraph.graph import Transaction
from lineagegraph.model.pipelines.definition import Pipeline
from lineagegraph.model.pipelines.entry import Waits
from lineagegraph.model.runs.ids import derived_id
from lineagegraph.model.typed import decode_json
from lineagegraph.store.freshness.freshness import TopRow, list_tops
from lineagegraph.store.pipelines import versions
from lineagegraph.store.runs import launches


def start_upstream(
    tx: Transaction, run_id: str, found: Waits, partition: Mapping[str, str]
) -> list[str]:
    """Queue a run of each task that a task of a run waits for, each once; return their ids.

    It is for the same partition, if its pipeline has such parameters. Jobs that are not tasks of a
    pipeline defined here are only waited for.
    """
    keys = [one.job_key for one in found.on if one.freshness]
    return [_queue(tx, run_id, top, partition) for top in list_tops(tx, keys=keys)]


def _queue(tx: Transaction, run_id: str, top: TopRow, partition: Mapping[str, str]) -> str:
    id_ = derived_id(run_id, "upstream", top.job_key)
    text = versions.get_definition(tx, job_key=top.top_key)
    known = decode_json(text, into=Pipeline).parameters if text else ()
    params = {one.name: partition[one.name] for one in known if one.name in partition}
    launches.merge_queued(
        tx,
        run_id=id_,
        job_key=top.top_key,
        params=json.dumps(params) if params else None,
        only=[top.path] if top.path else [],
        asked_by=run_id,
        now=None,
    )
    launches.set_options(tx, id=id_, force=False, ignore_upstream=False, with_upstream=True)
    return id_
