"""What a command finds in its environment."""

import os
from collections.abc import Mapping

from lineagegraph.execution.parameters import fill
from lineagegraph.execution.plan import Step
from lineagegraph.execution.request import UPSTREAM_FILE, RunRequest
from lineagegraph.model.pipelines.parameters import as_text


def environment(step: Step, request: RunRequest, own: Mapping[str, str]) -> dict[str, str]:
    """Return this process's environment, the run and its parameters, and the task's own variables.

    `LINEAGEGRAPH_CODE` is the folder of the code as this version has it: a command starts in the
    folder of this process, where files that it leaves behind stay. `LINEAGEGRAPH_UPSTREAM` is a
    file that says what set the run off. `OPENLINEAGE_PARENT_ID` makes
    the task the parent of what an OpenLineage producer in the command reports,
    `OPENLINEAGE_ROOT_PARENT_ID` the pipeline its root.
    """
    params = {
        f"LINEAGEGRAPH_PARAM_{name.upper()}": as_text(value) for name, value in step.params.items()
    }
    return {
        **os.environ,
        **params,
        "LINEAGEGRAPH_RUN_ID": step.run_id,
        "LINEAGEGRAPH_CODE": str(request.code),
        "LINEAGEGRAPH_UPSTREAM": str(request.logs / UPSTREAM_FILE),
        "OPENLINEAGE_PARENT_ID": _reference(step),
        "OPENLINEAGE_ROOT_PARENT_ID": _reference(step.root),
        **{name: fill(value, step.params) for name, value in own.items()},
    }


def _reference(step: Step) -> str:
    return f"{step.job.namespace}/{step.job.name}/{step.run_id}"
