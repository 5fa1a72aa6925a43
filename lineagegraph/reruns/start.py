"""A rerun into the queue."""

import msgspec

from lineagegraph.errors import InvalidParameter, RerunAsks, RerunRefused
from lineagegraph.graph import Graph, Transaction
from lineagegraph.model.names.keys import canonical_json
from lineagegraph.model.names.named_values import values_of
from lineagegraph.model.runs.ids import derived_id, new_id
from lineagegraph.model.runs.rerun import RerunRequest
from lineagegraph.process_environment.task_processes import own_run
from lineagegraph.reruns.plan import Plan, Repeats, RerunTerms, plan_rerun
from lineagegraph.reruns.requests import KeyedRequest, is_known, request_hash
from lineagegraph.settings import Settings
from lineagegraph.store.admin.audit import audit
from lineagegraph.store.runs import history, launches, reruns


class Rerun(msgspec.Struct, frozen=True):
    """A run that was queued; it is the `number`-th rerun of the first run of its kind.

    `is_new` is False if an earlier request with the same idempotency key queued it.
    """

    run: str
    number: int
    plan: Plan
    is_new: bool = True


def start_rerun(
    graph: Graph, settings: Settings, request: RerunRequest, key: str | None = None
) -> Rerun:
    """Queue a new run that repeats another; the same request with a key queues it once.

    Raises `RerunAsks` if a person must choose the policy, `RerunRefused` with everything
    missing, `InvalidParameter` for a wrong parameter, and `KeyReused` if another request had the
    key; then nothing is stored.
    """
    if key is None:
        return start_planned(graph, plan_rerun(graph, settings, request))
    try:
        plan = plan_rerun(graph, settings, request)
    except (RerunRefused, RerunAsks, InvalidParameter):
        # What was right for the first request may be wrong for the version of now.
        if known := graph.write(_find_known, request, key):
            return known
        raise
    run_id = derived_id(plan.run, "rerun", key)
    keyed = KeyedRequest(key, run_id, plan.job_key, plan.job, request_hash(request))
    number, is_new = graph.write(_queue_once, plan, keyed)
    return Rerun(run_id, number, plan, is_new)


def start_planned(graph: Graph, plan: Plan) -> Rerun:
    """Queue a planned rerun."""
    run_id = new_id()
    return Rerun(run_id, graph.write(_queue, plan, run_id), plan)


def refusal(plan: Plan) -> RerunRefused:
    """Return the error that lists the missing parts of a plan."""
    listed = "; ".join(plan.missing)
    what = "as it was" if plan.policy == "as_was" else f"with {plan.policy}"
    return RerunRefused(f"run {plan.run} cannot run again {what}: {listed}", plan.missing)


def hold(tx: Transaction, run_id: str, repeats: Repeats) -> int:
    """Make a queued run the rerun of another, and return its number."""
    held = repeats.held
    return reruns.set_rerun(
        tx,
        id=run_id,
        original=repeats.run,
        policy=repeats.policy,
        only=list(repeats.tasks),
        version=held.version,
        source=held.source,
        task_code=held.task_code,
        variables=held.variables,
        environment=held.environment,
        isolated=held.isolated,
    )


def _queue_once(tx: Transaction, plan: Plan, keyed: KeyedRequest) -> tuple[int, bool]:
    """Queue a rerun unless it is known; return its number and whether it is new."""
    if is_known(tx, keyed):
        known = history.get_run(tx, id=keyed.run_id)
        return (known and known.rerun_number) or 0, False
    number = _queue(tx, plan, keyed.run_id)
    launches.set_request(tx, id=keyed.run_id, request=keyed.hash)
    return number, True


def _find_known(tx: Transaction, request: RerunRequest, key: str) -> Rerun | None:
    """Return the rerun that an earlier request with the key queued, with the plan as it is kept."""
    run_id = derived_id(request.run, "rerun", key)
    known, queued = history.get_run(tx, id=run_id), reruns.get_original(tx, id=run_id)
    if known is None or queued is None:
        return None
    job_key, job = queued.job_key or "", queued.job or ""
    if not is_known(tx, KeyedRequest(key, run_id, job_key, job, request_hash(request))):
        return None
    plan = Plan(
        run=request.run,
        job_key=job_key,
        namespace=queued.namespace or "",
        job=job,
        policy=known.rerun_policy or "",
        version=queued.version,
        tasks=queued.only,
        params=values_of(queued.params),
        partition=queued.partition,
        differences=(),
        missing=(),
        held=RerunTerms(),
    )
    return Rerun(run_id, known.rerun_number or 0, plan, is_new=False)


def _queue(tx: Transaction, plan: Plan, run_id: str) -> int:
    if plan.missing:
        raise refusal(plan)
    launches.merge_queued(
        tx,
        run_id=run_id,
        job_key=plan.job_key,
        params=canonical_json(plan.params),
        only=list(plan.tasks),
        asked_by=own_run(),
        now=None,
    )
    number = hold(tx, run_id, plan.repeats)
    repeated = {"run": plan.run, "policy": plan.policy, "params": plan.params, "only": plan.tasks}
    audit(tx, "run.rerun", run_id, after=repeated)
    return number
