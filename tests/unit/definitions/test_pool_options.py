"""The options of a task about a pool."""

from typing import Any

import pytest

import lineagegraph as lg
from lineagegraph.errors import DefinitionError


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"pool_slots": 2}, "pool_slots is about a pool: give pool="),
        ({"priority": 2}, "priority is about a pool: give pool="),
        ({"pool": "a", "pool_slots": 0}, "pool_slots=0 must be a whole number from 1"),
        ({"pool": "a", "pool_slots": True}, "pool_slots=True must be"),
        ({"pool": "a", "priority": 1.5}, "priority=1.5 must be"),
        ({"pool": " a"}, "pool name ' a' is empty or has spaces"),
    ],
)
def test_options_that_mean_nothing_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(DefinitionError, match=message):
        lg.command("a", ["true"], **options)


def test_a_teardown_takes_no_pool() -> None:
    before = lg.command("before", ["true"])
    after = lg.command("after", ["true"], after=before, teardown=True, pool="spark")
    with pytest.raises(DefinitionError, match="leave out pool: a teardown does not wait"):
        after.to_task(())


def test_a_task_keeps_its_pool() -> None:
    task = lg.command("a", ["true"], pool="spark", pool_slots=2, priority=-3).to_task(())
    assert (task.pool, task.pool_slots, task.priority) == ("spark", 2, -3)
