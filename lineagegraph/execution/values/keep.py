"""Keep the value that a task returned: on its run, or in a file if it is large."""

from base64 import b64encode
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from lineagegraph.execution.outcome import Outcome
from lineagegraph.execution.plan import Step
from lineagegraph.model.runs.encoded import EncodedValue
from lineagegraph.model.runs.states import RunState
from lineagegraph.model.runs.values import JSON, TaskValue
from lineagegraph.private_files import private_folder, write_private
from lineagegraph.settings import load_settings

FOLDER = "values"


def keep_output(step: Step, outcome: Outcome, logs: Path) -> Outcome:
    """Return a completed attempt's outcome with its value kept.

    A value above `value_bytes` is written below the run's folder of logs, and is dropped if no task
    takes it; the choice of a branch stays on the run.
    """
    value = outcome.returned
    outcome = replace(outcome, returned=None)
    if value is None or outcome.state is not RunState.COMPLETED:
        return outcome
    if step.is_branch or len(value.data) <= load_settings().value_bytes:
        return replace(outcome, output=_stated(value, text=_text(value)))
    if not step.is_taken:
        return outcome
    file = private_folder(logs / FOLDER) / f"{step.run_id}.{value.kind}"
    write_private(file, value.data)
    return replace(outcome, output=_stated(value, file=str(file.relative_to(logs.parent))))


def _stated(value: EncodedValue, text: str | None = None, file: str | None = None) -> TaskValue:
    return TaskValue(
        kind=value.kind,
        size=len(value.data),
        sha256=sha256(value.data).hexdigest(),
        text=text,
        file=file,
        shape=value.shape,
    )


def _text(value: EncodedValue) -> str:
    return value.data.decode() if value.kind == JSON else b64encode(value.data).decode()
