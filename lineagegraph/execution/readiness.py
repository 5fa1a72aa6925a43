"""Whether a step starts after its predecessors have ended, or ends without a run."""

from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple

from lineagegraph.execution.outcome import EndReason, Outcome, upstream_failed, upstream_skipped
from lineagegraph.execution.plan import Step
from lineagegraph.model.pipelines.when import When
from lineagegraph.model.runs.states import SUCCEEDED, RunState


class Before(NamedTuple):
    """The names of a step's predecessors, by how they ended."""

    succeeded: list[str]
    skipped: list[str]
    failed: list[str]


def end_without_run(
    step: Step, before: Mapping[str, Outcome], left_out: Collection[str] = ()
) -> Outcome | None:
    """Return the end of a step that cannot start after these ends of its predecessors.

    Those `left_out` of the run passed, but say nothing about a failure.
    """
    if step.when is When.ALL_SUCCESS:
        blocked = _without_success(step, _sort(before))
    elif rule := _ABOUT_FAILURES.get(step.when):
        known = {name: end for name, end in before.items() if name not in left_out}
        blocked = rule(_sort(known)) if known else None
    else:
        blocked = _RULES[step.when](_sort(before))
    return blocked or (_without_value(step, before) if step.wanted else None)


def starts_early(step: Step, outcome: Outcome) -> bool:
    """Return whether a step need not wait for others once a predecessor ended so."""
    if step.takes:
        return False
    ends = _sort({"": outcome})
    return bool(
        (step.when is When.ONE_SUCCESS and ends.succeeded)
        or (step.when is When.ONE_FAILED and ends.failed)
    )


def not_chosen(names: list[str]) -> Outcome:
    """Return the outcome of a step that the named branches did not choose."""
    message = f"not run: {', '.join(names)} chose otherwise"
    return Outcome(RunState.SKIPPED, EndReason.NOT_CHOSEN, message)


def _sort(before: Mapping[str, Outcome]) -> Before:
    ends = Before([], [], [])
    for name, end in before.items():
        if end.state in SUCCEEDED:
            ends.succeeded.append(name)
        elif end.state is RunState.SKIPPED:
            ends.skipped.append(name)
        else:
            ends.failed.append(name)
    return ends


def _without_success(step: Step, ends: Before) -> Outcome | None:
    if ends.failed:
        return upstream_failed([*ends.failed, *ends.skipped])
    missed = [name for name in ends.skipped if not _may_lack(step, name)]
    return upstream_skipped(missed) if missed else None


def _all_failed(ends: Before) -> Outcome | None:
    return _not_so([*ends.succeeded, *ends.skipped], "did not fail")


def _one_success(ends: Before) -> Outcome | None:
    if ends.succeeded:
        return None
    return upstream_failed(ends.failed) if ends.failed else upstream_skipped(ends.skipped)


def _one_failed(ends: Before) -> Outcome | None:
    return None if ends.failed else _not_so([*ends.succeeded, *ends.skipped], "did not fail")


def _none_failed(ends: Before) -> Outcome | None:
    return upstream_failed(ends.failed) if ends.failed else None


def _none_failed_min_one_success(ends: Before) -> Outcome | None:
    return _none_failed(ends) or _one_success(ends)


def _none_skipped(ends: Before) -> Outcome | None:
    return upstream_skipped(ends.skipped) if ends.skipped else None


def _not_so(names: list[str], how: str) -> Outcome | None:
    if not names:
        return None
    return Outcome(RunState.SKIPPED, EndReason.RULE_NOT_MET, f"not run: {', '.join(names)} {how}")


_ABOUT_FAILURES: dict[When, Callable[[Before], Outcome | None]] = {
    When.ALL_FAILED: _all_failed,
    When.ONE_FAILED: _one_failed,
}
_RULES: dict[When, Callable[[Before], Outcome | None]] = {
    When.ALL_DONE: lambda ends: None,
    When.ONE_SUCCESS: _one_success,
    When.NONE_FAILED: _none_failed,
    When.NONE_FAILED_MIN_ONE_SUCCESS: _none_failed_min_one_success,
    When.NONE_SKIPPED: _none_skipped,
}


def _may_lack(step: Step, before: str) -> bool:
    """Return whether a step takes the value of a predecessor only as an optional one."""
    arguments = [name for name, task in step.takes.items() if task == before]
    return bool(arguments) and step.optional.issuperset(arguments)


def _without_value(step: Step, before: Mapping[str, Outcome]) -> Outcome | None:
    for name, task in step.takes.items():
        if name not in step.optional and before[task].output is None:
            message = f"not run: {task} returned no value for `{name}`"
            return Outcome(RunState.SKIPPED, EndReason.VALUE_MISSING, message)
    return None
