"""Whether triggers set each other off."""

from lineagegraph.errors import TriggerCycle
from lineagegraph.graph import Transaction
from lineagegraph.store import conditions, triggers
from lineagegraph.store.triggers import Target


def check_cycle(tx: Transaction, trigger_id: str, target: Target) -> None:
    """Raise `TriggerCycle` where what a trigger starts sets off what the trigger waits for.

    It follows the ends of jobs and the datasets that these are known to produce.
    """
    ends = {job.key: job.fqn for job in conditions.list_watched(tx, trigger_id=trigger_id)}
    names = {target.key: target.fqn}
    came_from: dict[str, str] = {}
    seen, level = {target.key}, [target.key] if ends else []
    while level:
        for key in level:
            if key in ends:
                raise TriggerCycle(_path(key, came_from, names))
        steps = triggers.list_set_off(tx, keys=level, trigger_id=trigger_id)
        news = {step.next: step for step in steps if step.next not in seen}
        for key, step in news.items():
            came_from[key], names[key] = step.key, step.fqn
        seen |= news.keys()
        level = sorted(news)


def _path(key: str, came_from: dict[str, str], names: dict[str, str]) -> str:
    path = [names[key]]
    while key in came_from:
        key = came_from[key]
        path.append(names[key])
    circle = " -> ".join([*reversed(path), path[-1]])
    return f"triggers go in a circle: {circle}: break it, or allow it with allow_cycle"
