"""The namespaces that conditions and rules can observe."""

from lineagegraph.model.access import EVERYWHERE
from lineagegraph.model.triggers.condition import (
    AnyCondition,
    OnAbsent,
    OnDataset,
    OnFresh,
    OnStatus,
    OnUpstream,
    leaves_of,
)
from lineagegraph.model.triggers.trigger import Trigger


def namespaces_of(condition: AnyCondition, namespace: str) -> list[str]:
    """Return the namespaces whose runs a condition observes; `namespace` is the default of jobs.

    Jobs upstream may be in any namespace: `EVERYWHERE`.
    """
    return sorted({one for leaf in leaves_of(condition) for one in _seen(leaf, namespace)})


def other_namespaces(rule: Trigger, namespace: str) -> list[str]:
    """Return the namespaces that a rule observes beside its own."""
    return [one for one in namespaces_of(rule.when, namespace) if one != namespace]


def _seen(leaf: AnyCondition, namespace: str) -> tuple[str, ...]:
    match leaf:
        case OnFresh() | OnAbsent():
            return _seen(leaf.of, namespace)
        case OnStatus():
            return (leaf.namespace or namespace,)
        case OnDataset():
            return (leaf.namespace,)
        case OnUpstream():
            return (EVERYWHERE,)
    return ()
