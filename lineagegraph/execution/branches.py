"""The choice of a task that decides which of the tasks after it run."""

import json
from dataclasses import replace
from typing import Any

import msgspec

from lineagegraph.execution.outcome import EndReason, Outcome
from lineagegraph.execution.plan import Step
from lineagegraph.model.runs.encoded import REFUSED, EncodedValue
from lineagegraph.model.runs.states import RunState
from lineagegraph.model.runs.values import JSON, TaskValue
from lineagegraph.model.typed import decode_json


def with_choice(step: Step, outcome: Outcome) -> Outcome:
    """Return the outcome of a completed branch with its choice as a list, or failed if it has none.

    The function returned a name, a list of names, or None.
    """
    if not step.is_branch or outcome.state is not RunState.COMPLETED:
        return outcome
    value = outcome.returned
    given = json.loads(value.data) if value and value.kind == JSON else value
    names = _names(given)
    known = _followers(step)
    wrong = [name for name in names or () if name not in known]
    if names is None or wrong:
        shown = repr(wrong[0]) if wrong else f"a value of type {_type_name(given)}"
        message = (
            f"branch {step.path} chose {shown}: return the name of a task after it, or a list of "
            f"such names ({', '.join(known)})"
        )
        return replace(
            outcome,
            state=RunState.FAILED,
            reason=EndReason.USER_CODE,
            message=message,
            returned=None,
        )
    return replace(outcome, returned=EncodedValue(JSON, json.dumps(names).encode()))


def read_choice(value: TaskValue | None) -> frozenset[str] | None:
    """Return the names that a branch chose, None if it did not run."""
    if value is None or value.text is None:
        return None
    try:
        return frozenset(decode_json(value.text, into=list[str]))
    except msgspec.MsgspecError:
        return None


def _names(given: Any) -> list[str] | None:
    if given is None:
        return []
    names = [given] if isinstance(given, str) else given
    is_list = isinstance(names, list) and all(isinstance(one, str) for one in names)
    return list(dict.fromkeys(names)) if is_list else None


def _type_name(given: Any) -> str | None:
    if not isinstance(given, EncodedValue):
        return type(given).__name__
    return given.shape if given.kind == REFUSED else "Table"


def _followers(step: Step) -> list[str]:
    siblings = step.parent.children if step.parent else []
    return [one.name for one in siblings if step.name in one.after]
