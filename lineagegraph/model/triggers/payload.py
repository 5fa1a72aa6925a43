"""The payload of a run: its user arguments and emitted values, under their own names."""

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any


def read_payload(params: str | None, emitted: str | None) -> dict[str, Any]:
    """Return a run's payload from its JSON texts.

    What a pipeline's tasks emitted is there as `task.name`, and as `name` where just one task
    emitted that; it comes before an argument of the same name.
    """
    arguments = json.loads(params) if params else {}
    return arguments | _flat(json.loads(emitted) if emitted else {})


def _flat(emitted: Mapping[str, Any]) -> dict[str, Any]:
    by_task = {task: values for task, values in emitted.items() if isinstance(values, dict)}
    counts = Counter(name for values in by_task.values() for name in values)
    bare = {
        name: value
        for values in by_task.values()
        for name, value in values.items()
        if counts[name] == 1
    }
    whole = {
        f"{task}.{name}": value
        for task, values in by_task.items()
        for name, value in values.items()
    }
    return dict(emitted) | bare | whole
