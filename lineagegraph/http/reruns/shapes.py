"""Reruns as JSON."""

from typing import Any

import msgspec

from lineagegraph.reruns.plan import Plan
from lineagegraph.reruns.start import Rerun


def plan_shape(plan: Plan) -> dict[str, Any]:
    """Return what a rerun would be."""
    return {
        "rerunOf": plan.run,
        "job": {"namespace": plan.namespace, "name": plan.job},
        "policy": plan.policy,
        "version": plan.version,
        "tasks": plan.tasks,
        "params": plan.params,
        "differences": [msgspec.to_builtins(one) for one in plan.differences],
        "missing": plan.missing,
    }


def rerun_shape(rerun: Rerun) -> dict[str, Any]:
    """Return a rerun that was queued."""
    return {"runId": rerun.run, "number": rerun.number, **plan_shape(rerun.plan)}
