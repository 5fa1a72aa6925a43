"""Whether the names that a trigger uses are names that its jobs have."""

from collections.abc import Iterable, Iterator

from lineagegraph.errors import InvalidRule
from lineagegraph.graph import Transaction
from lineagegraph.model.pipelines.definition import Pipeline
from lineagegraph.model.pipelines.emits import list_payload_names
from lineagegraph.model.triggers.condition import Happening, Leaf, OnSensor, OnStatus, leaves_of
from lineagegraph.model.triggers.trigger import Trigger
from lineagegraph.model.typed import decode_json
from lineagegraph.store.pipelines import versions

Names = dict[tuple[str, str], set[str] | None]


def check_names(tx: Transaction, rule: Trigger, *, starts: str, namespace: str) -> None:
    """Raise `InvalidRule` if a rule uses a name that its jobs do not declare.

    Such a name is an unknown parameter of the started pipeline, or a payload key that the watched
    job declares neither as a parameter nor as emitted. Jobs without declared emits may emit
    anything.
    """
    if rule.properties or rule.arguments:
        _check_parameters(tx, rule, starts)
    if not (rule.correlate_by or rule.arguments or any(map(_asks, leaves_of(rule.when)))):
        return
    known = _payload_names(tx, rule, namespace)
    for leaf in leaves_of(rule.when):
        if isinstance(leaf, OnStatus):
            for key in _keys(rule, leaf):
                _check_key(key, [known[_place(leaf, namespace)]], leaf.job)
    # The values of a sensor's answer may have any names.
    sensed = [None for leaf in leaves_of(rule.when) if isinstance(leaf, OnSensor)]
    for argument in rule.arguments:
        job = argument.job
        named = [names for (_, fqn), names in known.items() if fqn == job]
        _check_key(argument.key, named if job else [*known.values(), *sensed], job)


def _asks(leaf: Leaf) -> bool:
    return isinstance(leaf, Happening) and bool(leaf.where_)


def _check_parameters(tx: Transaction, rule: Trigger, starts: str) -> None:
    text = versions.get_definition(tx, job_key=starts)
    if text is None:
        return
    pipeline = decode_json(text, into=Pipeline)
    names = {parameter.name for parameter in pipeline.parameters}
    given = [*rule.properties, *(argument.parameter for argument in rule.arguments)]
    for name in given:
        if name not in names:
            raise InvalidRule(
                f"pipeline {pipeline.name} has no parameter {name!r}: it has {_listed(names)}"
            )


def _payload_names(tx: Transaction, rule: Trigger, namespace: str) -> Names:
    """Return the possible payload names of jobs by namespace and name; None for any."""
    known: Names = {}
    for leaf in leaves_of(rule.when):
        if isinstance(leaf, OnStatus):
            where, job = _place(leaf, namespace)
            text = versions.get_definition_named(tx, namespace=where, fqn=job)
            pipeline = decode_json(text, into=Pipeline) if text else None
            names = list_payload_names(pipeline) if pipeline else None
            known[where, job] = set(names) if names is not None else None
    return known


def _place(leaf: OnStatus, namespace: str) -> tuple[str, str]:
    return leaf.namespace or namespace, leaf.job


def _keys(rule: Trigger, leaf: OnStatus) -> Iterator[str]:
    yield from (predicate.key for predicate in leaf.where_)
    if rule.correlate_by not in (None, "partition"):
        yield str(rule.correlate_by)


def _check_key(key: str, known: Iterable[set[str] | None], job: str | None) -> None:
    each = list(known)
    if not each or any(names is None for names in each):
        return
    names = {name for some in each for name in some or ()}
    if key not in names:
        whose = job or "no job of the trigger"
        raise InvalidRule(f"{whose} declares no {key!r}: the payload has {_listed(names)}")


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(names)) or "none"
