"""Whether triggers start each other in a circle."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from lineagegraph.errors import TriggerCycle
from lineagegraph.graph import Transaction
from lineagegraph.store.triggers import conditions, triggers
from lineagegraph.store.triggers.triggers import SetOff, TriggerTarget


class TriggerChains:
    """What follows when some triggers fire: by the ends of jobs and their known outputs."""

    def __init__(self, tx: Transaction, targets: Mapping[str, TriggerTarget]) -> None:
        """Read the chains that triggers start with their targets, by the triggers' ids."""
        self._targets = targets
        self._watched = defaultdict[str, set[str]](set)
        for watched in conditions.list_watched(tx, ids=sorted(targets)):
            self._watched[watched.trigger_id].add(watched.key)
        self._refused = set[str]()
        self._steps: dict[str, list[SetOff]] = {}
        level = {targets[id_].key for id_ in self._watched}
        while level:
            self._steps |= {key: [] for key in level}
            for step in triggers.list_set_off(tx, keys=sorted(level)):
                self._steps[step.key].append(step)
            level = {step.next for key in level for step in self._steps[key]} - self._steps.keys()

    def refuse(self, ids: Iterable[str]) -> None:
        """Leave some triggers out of the chains."""
        self._refused |= set(ids)

    def check(self, trigger_id: str) -> None:
        """Raise `TriggerCycle` if a trigger would start a chain that fires it again."""
        ends, target = self._watched[trigger_id], self._targets[trigger_id]
        names = {target.key: target.fqn}
        came_from: dict[str, str] = {}
        seen, level = {target.key}, [target.key] if ends else []
        while level:
            for key in level:
                if key in ends:
                    raise TriggerCycle(_path(key, came_from, names))
            steps = (step for key in level for step in self._steps[key] if self._is_taken(step))
            found = {step.next: step for step in steps if step.next not in seen}
            for key, step in found.items():
                came_from[key], names[key] = step.key, step.fqn
            seen |= found.keys()
            level = sorted(found)

    def _is_taken(self, step: SetOff) -> bool:
        return not self._refused.issuperset(step.by)


def _path(key: str, came_from: dict[str, str], names: dict[str, str]) -> str:
    path = [names[key]]
    while key in came_from:
        key = came_from[key]
        path.append(names[key])
    circle = " -> ".join([*reversed(path), path[-1]])
    return f"triggers start each other in a circle: {circle}: remove one, or set allow_cycle"
