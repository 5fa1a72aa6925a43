"""The cost of a Spark application: its time and the time of its executors."""

import time
from collections.abc import Iterator
from typing import Any

from lineagegraph.spark.jvm import option, sequence

DRIVER = "driver"


def read_cost(context: Any) -> dict[str, Any]:
    """Return the seconds of a live application, of all its executors, and of all their cores.

    In local mode the driver is the one executor.
    """
    now = time.time() * 1000
    executors = list(_executors(context, now))
    return {
        "application": context.applicationId,
        "master": context.master,
        "seconds": _seconds(now - context.startTime),
        "executors": len(executors),
        "executor_seconds": _seconds(sum(millis for millis, _ in executors)),
        "core_seconds": _seconds(sum(millis * cores for millis, cores in executors)),
    }


def _executors(context: Any, now: float) -> Iterator[tuple[float, int]]:
    is_local = str(context.master).startswith("local")
    for one in sequence(context._jsc.sc().statusStore().executorList(False)):
        if (one.id() == DRIVER) == is_local:
            removed = option(one.removeTime())
            end = removed.getTime() if removed is not None else now
            yield max(0.0, end - one.addTime().getTime()), one.totalCores()


def _seconds(millis: float) -> float:
    return round(millis / 1000, 1)
