"""Which tasks of a pipeline come after others."""

from collections.abc import Collection, Iterator, Sequence

from lineagegraph.model.definition import Pipeline, Task
from lineagegraph.model.places import tasks_in


def with_followers(pipeline: Pipeline, paths: Collection[str]) -> tuple[str, ...]:
    """Return tasks and all that come after them, in any group around them; the fewest paths."""
    return tuple(_follow(pipeline.tasks, "", frozenset(paths)))


def leaves(pipeline: Pipeline) -> tuple[str, ...]:
    """Return the paths of the tasks that do something themselves."""
    return tuple(_leaves(pipeline.tasks, ""))


def _follow(tasks: Sequence[Task], above: str, wanted: frozenset[str]) -> Iterator[str]:
    """Yield paths below a container; those of which a part is wanted hold back what follows."""
    found: dict[str, list[str]] = {}
    for task in tasks:
        path = above + task.name
        inside = _follow(tasks_in(task.work), f"{path}.", wanted)
        found[task.name] = [path] if path in wanted else list(inside)
    reached = {name for name, parts in found.items() if parts}
    while more := {t.name for t in tasks if t.name not in reached and reached & set(t.after)}:
        reached |= more
    begun = {t.name for t in tasks if reached & set(t.after)}
    for task in tasks:
        if task.name in begun:
            yield above + task.name
        else:
            yield from found[task.name]


def _leaves(tasks: Sequence[Task], above: str) -> Iterator[str]:
    for task in tasks:
        path = above + task.name
        inside = tasks_in(task.work)
        yield from _leaves(inside, f"{path}.") if inside else (path,)
