"""The options that functions of a definition file share."""

import inspect
from collections.abc import Callable
from typing import Any

import pytest

import lineagegraph as lg

TASK = (
    "after",
    "freshness",
    "dependencies",
    "retries",
    "retry_delay",
    "timeout",
    "emits",
    "when",
    "retry_jitter",
    "teardown",
    "pool",
    "priority",
)
PIPELINE = ("params", "partition_by", "trigger", "spark", "namespace", "concurrency", "rerun")


@pytest.mark.parametrize(
    ("function", "names"),
    [
        (lg.task, ("name", "identity", *TASK, "cluster")),
        (lg.command, ("environment", *TASK, "cluster")),
        (lg.spark_submit, ("main", *TASK, "cluster")),
        (lg.sql, ("target", *TASK, "cluster")),
        (lg.notebook_task, ("params", *TASK, "cluster")),
        (lg.group, ("tasks", "after", "freshness", "dependencies", "when")),
        (lg.branch, ("name", "takes", *TASK)),
        (lg.pipeline, ("tasks", *PIPELINE)),
        (lg.batch, ("schedule", *PIPELINE)),
    ],
)
def test_signatures_show_the_options(function: Callable[..., Any], names: tuple[str, ...]) -> None:
    shown = inspect.signature(function).parameters
    assert set(names) <= set(shown)
    assert not any(one.kind is one.VAR_KEYWORD for one in shown.values())


def test_defaults_are_shown() -> None:
    shown = inspect.signature(lg.command).parameters
    assert (shown["retries"].default, shown["after"].annotation) == (0, "After")


def test_an_unknown_option_is_refused_where_it_is_given() -> None:
    with pytest.raises(TypeError, match=r"^task\(\) got an unexpected keyword argument 'retry'"):
        lg.task(retry=3)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match=r"^pipeline\(\) got an unexpected keyword argument 'x'"):
        lg.pipeline("daily", tasks=[], x=1)  # type: ignore[call-arg]
