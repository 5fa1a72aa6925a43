"""The end of an attempt that another process made, as a message."""

from typing import Any

import msgspec

from lineagegraph.execution.emit import Emitted
from lineagegraph.execution.outcome import Outcome
from lineagegraph.model.runs.deferral import Deferral
from lineagegraph.model.runs.encoded import EncodedValue
from lineagegraph.model.runs.states import RunState


class AttemptEnd(msgspec.Struct, frozen=True, kw_only=True):
    """How an attempt ended."""

    state: str  # final state
    reason: str | None  # code such as USER_CODE
    message: str | None  # one line for people
    trace: str | None  # stack trace
    abandoned: bool  # whether its thread still runs
    emitted: dict[str, Any]  # emitted values by name
    files: dict[str, Any]  # states of the files that it opened
    variables: dict[str, str]  # environment variables that it read, with secrets masked
    inputs: list[dict[str, Any]]  # datasets that it read, as events have them
    outputs: list[dict[str, Any]]  # datasets that it wrote
    returned: EncodedValue | None = None  # the value that it returned
    deferral: Deferral | None = None  # the sensor that it waits for

    @property
    def outcome(self) -> Outcome:
        """Return it as an outcome, without the emitted values."""
        return Outcome(
            RunState(self.state),
            self.reason,
            self.message,
            self.trace,
            files=self.files,
            variables=self.variables,
            inputs=self.inputs,
            outputs=self.outputs,
            returned=self.returned,
            deferral=self.deferral,
        )


def attempt_end(outcome: Outcome, emitted: Emitted) -> AttemptEnd:
    """Return an outcome and the emitted values as a message."""
    return AttemptEnd(
        state=outcome.state.value,
        reason=outcome.reason,
        message=outcome.message,
        trace=outcome.trace,
        abandoned=outcome.abandoned,
        emitted=emitted.values(),
        files=dict(outcome.files),
        variables=dict(outcome.variables),
        inputs=[dict(one) for one in outcome.inputs],
        outputs=[dict(one) for one in outcome.outputs],
        returned=outcome.returned,
        deferral=outcome.deferral,
    )
