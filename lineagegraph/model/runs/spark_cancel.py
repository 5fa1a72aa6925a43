"""Cancelled Spark jobs, by the error that their action raises."""

import re

# Spark 3.5 has no error class for them; Spark Connect has one of its own.
_CANCELLED = re.compile(r"\[SPARK_JOB_CANCELLED\]|\[OPERATION_CANCELED\]|\bJob \d+ cancelled\b")


def is_spark_cancel(error: str) -> bool:
    """Return whether an action failed because its jobs were cancelled."""
    return _CANCELLED.search(error) is not None
