"""OpenLineage RunEvents for the steps of a run."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import msgspec

from lineagegraph.execution.logs import log_path
from lineagegraph.execution.outcome import Outcome
from lineagegraph.execution.plan import Step
from lineagegraph.execution.request import RunRequest
from lineagegraph.model.pipelines.entry import Waits
from lineagegraph.model.pipelines.parameters import partition_of
from lineagegraph.model.runs.ids import PRODUCER
from lineagegraph.model.runs.states import EventType, JobKind, RunState

SPEC = "https://openlineage.io/spec"
OWN_SCHEMA = f"{PRODUCER}#run-facet-1"
ENDS = {
    RunState.COMPLETED: EventType.COMPLETE,
    RunState.FAILED: EventType.FAIL,
    RunState.KILLED: EventType.ABORT,
    RunState.FRESH_SKIP: EventType.COMPLETE,
    RunState.SKIPPED: EventType.ABORT,
}
_PLAIN = {RunState.COMPLETED, RunState.FAILED, RunState.KILLED}


@dataclass(frozen=True, slots=True)
class Events:
    """Builds the events of one request; each repeats the facets of the run's earlier events."""

    request: RunRequest

    def started(self, step: Step) -> dict[str, Any]:
        """Return the START of a step."""
        return self._event(EventType.START, step, {"lineagegraph": self._own(step, attempt=1)})

    def tried_again(self, step: Step, attempt: int) -> dict[str, Any]:
        """Return the RUNNING with which a task's second or later attempt begins."""
        own = self._own(step, attempt=attempt)
        return self._event(EventType.RUNNING, step, {"lineagegraph": own})

    def failed_attempt(self, step: Step, outcome: Outcome, pause: float) -> dict[str, Any]:
        """Return the RUNNING of a failed attempt that is made again after `pause` seconds."""
        own = self._own(step, attempt=outcome.attempt)
        retry = {
            "nextAt": (self.request.clock() + timedelta(seconds=pause)).isoformat(),
            "reason": outcome.reason,
            "message": outcome.message,
        }
        return self._event(EventType.RUNNING, step, {"lineagegraph": own | {"retry": retry}})

    def waiting(self, step: Step, found: Waits) -> dict[str, Any]:
        """Return the OTHER with which a task begins to wait."""
        own = self._own(step, attempt=None, reason=found.reason)
        fields = {"state": RunState.WAITING.value, "message": found.message}
        return self._event(EventType.OTHER, step, {"lineagegraph": own | fields})

    def ended(self, step: Step, outcome: Outcome) -> dict[str, Any]:
        """Return the COMPLETE, FAIL or ABORT of a step."""
        own = self._own(step, attempt=outcome.attempt, reason=outcome.reason)
        if outcome.emitted or outcome.state is RunState.COMPLETED:
            own["emitted"] = dict(outcome.emitted)
        if outcome.output:
            own["output"] = msgspec.to_builtins(outcome.output)
        if outcome.cost:
            own["cost"] = dict(outcome.cost)
        if outcome.files:
            own["files"] = dict(outcome.files)
        facets = {"lineagegraph": own}
        if outcome.variables:
            facets["environmentVariables"] = _variables(outcome.variables)
        if outcome.state not in _PLAIN:
            own |= {"state": outcome.state.value, "message": outcome.message}
        elif outcome.message and outcome.state is RunState.COMPLETED:
            own["message"] = outcome.message
        elif outcome.message:
            facets["errorMessage"] = _error(outcome.message, outcome)
        event = self._event(ENDS[outcome.state], step, facets)
        return event | {"inputs": [*outcome.inputs], "outputs": [*outcome.outputs]}

    def _own(self, step: Step, *, attempt: int | None, reason: str | None = None) -> dict[str, Any]:
        top = step.parent is None
        logs = top or (step.kind is JobKind.TASK and attempt is not None)
        fields = {
            "version": self.request.version.hash if top else None,
            "params": _params(step),
            "partition": partition_of(step.pipeline, step.params),
            "attempt": self.request.attempt if top else attempt,
            # Two tasks may run one pipeline, which is one job.
            "task": None if top or step.name == step.job.simple_name else step.name,
            "log": str(log_path(self.request.logs, step.names)) if logs else None,
            "reason": reason,
        }
        return _facet(OWN_SCHEMA, {k: v for k, v in fields.items() if v is not None})

    def _event(self, kind: EventType, step: Step, facets: dict[str, Any]) -> dict[str, Any]:
        return {
            "eventType": kind.value,
            "eventTime": self.request.clock().isoformat(timespec="microseconds"),
            "producer": PRODUCER,
            "schemaURL": f"{SPEC}/2-0-2/OpenLineage.json#/$defs/RunEvent",
            "run": {"runId": step.run_id, "facets": _place(step) | self._nominal() | facets},
            "job": {
                "namespace": step.job.namespace,
                "name": step.job.name,
                "facets": {"jobType": _job_type(step.kind)},
            },
            "inputs": [],
            "outputs": [],
        }

    def _nominal(self) -> dict[str, Any]:
        if not self.request.nominal_start:
            return {}
        times = {"nominalStartTime": self.request.nominal_start}
        if self.request.nominal_end:
            times["nominalEndTime"] = self.request.nominal_end
        url = f"{SPEC}/facets/1-0-1/NominalTimeRunFacet.json#/$defs/NominalTimeRunFacet"
        return {"nominalTime": _facet(url, times)}


def _params(step: Step) -> dict[str, Any] | None:
    """Return a pipeline's parameters, or a task's own values."""
    return dict(step.params) if step.kind is JobKind.PIPELINE else dict(step.values) or None


def _place(step: Step) -> dict[str, Any]:
    if step.parent is None:
        return {}
    url = f"{SPEC}/facets/1-2-0/ParentRunFacet.json#/$defs/ParentRunFacet"
    return {"parent": _facet(url, _reference(step.parent) | {"root": _reference(step.root)})}


def _reference(step: Step) -> dict[str, Any]:
    job = {"namespace": step.job.namespace, "name": step.job.name}
    return {"run": {"runId": step.run_id}, "job": job}


def _job_type(kind: JobKind) -> dict[str, Any]:
    fields = {"processingType": "BATCH", "integration": "LINEAGEGRAPH", "jobType": kind.name}
    return _facet(f"{SPEC}/facets/2-0-4/JobTypeJobFacet.json#/$defs/JobTypeJobFacet", fields)


def _error(message: str, outcome: Outcome) -> dict[str, Any]:
    fields = {"message": message, "programmingLanguage": outcome.language}
    if outcome.trace:
        fields["stackTrace"] = outcome.trace
    url = f"{SPEC}/facets/1-0-1/ErrorMessageRunFacet.json#/$defs/ErrorMessageRunFacet"
    return _facet(url, fields)


def _variables(variables: Mapping[str, str]) -> dict[str, Any]:
    name = "EnvironmentVariablesRunFacet"
    listed = [{"name": name, "value": value} for name, value in variables.items()]
    url = f"{SPEC}/facets/1-0-0/{name}.json#/$defs/{name}"
    return _facet(url, {"environmentVariables": listed})


def _facet(url: str, fields: dict[str, Any]) -> dict[str, Any]:
    return {"_producer": PRODUCER, "_schemaURL": url, **fields}
