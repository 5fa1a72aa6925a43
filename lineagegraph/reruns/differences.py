"""Differences between a rerun and its original."""

from collections.abc import Iterator, Mapping
from typing import Any

from lineagegraph.graph import Transaction
from lineagegraph.model.change import Change
from lineagegraph.model.names.named_values import list_changed, values_of
from lineagegraph.model.pipelines.definition import Pipeline
from lineagegraph.model.pipelines.definition_diff import diff_pipelines
from lineagegraph.model.pipelines.environment import EnvironmentChange
from lineagegraph.model.runs.rerun import Difference
from lineagegraph.reruns.inputs import ComparedInputs
from lineagegraph.reruns.original import pipeline_of
from lineagegraph.store.admin import variables
from lineagegraph.store.runs.reruns import Original, VersionRow

_SHOWN = 12


def of_version(original: Original, version: VersionRow) -> Iterator[Difference]:
    """Yield how a version differs from the one that the run ran: tasks, order, settings, code."""
    if original.version == version.hash:
        return
    yield Difference("version", "version", _short(original.version), _short(version.hash))
    before = pipeline_of(original)
    if before is not None:
        yield from _of_structure(before, version.pipeline())
    if original.code_hash != version.code_hash:
        yield Difference("code", "files", _short(original.code_hash), _short(version.code_hash))


def of_params(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[Difference]:
    """Return the parameters with another value; null for a missing parameter."""
    return (Difference("parameter", *one) for one in list_changed(before, after))


def of_variables(tx: Transaction, original: Original) -> Iterator[Difference]:
    """Yield the variables that the run saw and that have another value today."""
    for name, before in sorted(values_of(original.variables).items()):
        text = variables.get_value(tx, name=name)
        after = None if text is None else variables.read_value(text)
        if before != after:
            yield Difference("variable", name, before, after)


def of_packages(changes: list[EnvironmentChange]) -> Iterator[Difference]:
    """Yield the packages, and Python, that are other than they were."""
    for one in changes:
        yield Difference("package", one.name, one.before, one.after)


def of_inputs(inputs: ComparedInputs) -> Iterator[Difference]:
    """Yield the inputs that are other than they were, and those that cannot be compared."""
    for one in inputs.changed:
        yield Difference("input", one.name, _short(one.before), _short(one.after) or one.why)
    for name in inputs.unrecorded:
        yield Difference("input", name, None, "not compared: its version was not recorded")


def _of_structure(before: Pipeline, after: Pipeline) -> Iterator[Difference]:
    found = diff_pipelines(before, after)
    for task in found.tasks:
        if task.change is not Change.CHANGED:
            yield _came_or_went("task", task.name, task.change)
        for field in task.fields:
            yield Difference("task", f"{task.name} {field.name}", field.before, field.after)
    for edge in found.edges:
        yield _came_or_went("order", f"{edge.first} -> {edge.then}", edge.change)
    for setting in found.settings:
        yield Difference("setting", setting.name, setting.before, setting.after)


def _came_or_went(what: str, name: str, change: Change) -> Difference:
    is_new = change is Change.ADDED
    return Difference(what, name, None if is_new else "there", "there" if is_new else None)


def _short(hash_: str | None) -> str | None:
    return hash_[:_SHOWN] if hash_ else None
