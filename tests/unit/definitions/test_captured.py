"""What a task's function has besides its code, and its canonical form."""

import enum
import re
from collections import OrderedDict, namedtuple
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from functools import partial
from pathlib import Path
from threading import Lock
from zoneinfo import ZoneInfo

import msgspec
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lineagegraph as lg
from lineagegraph.authoring.canonical import captured
from lineagegraph.authoring.project_scope import ProjectScope
from lineagegraph.code.hashing import structure_hash
from lineagegraph.errors import DefinitionError
from lineagegraph.model.names.keys import canonical_json
from lineagegraph.model.pipelines.definition import Pipeline

OWN = ProjectScope(Path(__file__).parents[3])
ELSEWHERE = ProjectScope(Path("/nowhere"))

Point = namedtuple("Point", "x y")


class Color(enum.Enum):
    RED = 1
    BLUE = 2


@dataclass
class Client:
    name: str
    tags: frozenset = frozenset()


class Loader:
    def __init__(self, client):
        self.client = client

    def run(self): ...


class Slotted:
    __slots__ = ("client",)

    def __init__(self, client):
        self.client = client


def form(value):
    return captured(partial(print_it, value), OWN)["arguments"][0]


def print_it(value): ...


def helper(value=1): ...


DIFFERENT = [
    None, True, 1, 1.0, "1", -0.0, 2**70, float("nan"), "", "\ud800", "a\0b", "x" * 5000,
    "y" * 5000,
    b"a", b"b", b"a" * 5000, [], [1], [[1]], (), (1,), {}, {1: 2}, {"1": 2}, {"a": [1]},
    OrderedDict(a=[1]), set(), {1}, frozenset({1}), date(2024, 1, 1), datetime(2024, 1, 1),  # noqa: DTZ001
    datetime(2024, 1, 1, tzinfo=UTC), datetime(2024, 1, 1, tzinfo=ZoneInfo("Asia/Dubai")),
    timedelta(days=1), Decimal("1.0"), Decimal("1.00"), Color.RED, Color.BLUE, Point(1, 2),
    Client("a"), Client("b"), Client("a", frozenset({"x"})), Loader("a"), Loader("b"),
    Slotted("a"), Slotted("b"), Loader("a").run, Loader("b").run, Loader, Client,
    helper, print_it,
    len, partial(helper, 2), partial(helper, value=2), re.compile("a"),
    re.compile("a", re.IGNORECASE),
    Path("a"), Path("/a"), "/a", enum, re, lambda: 1, np.int64(1), np.float32(1), np.float64(1),
    np.array([1, 2]), np.array([[1, 2]]), np.array([1, 3]), pd.Timestamp("2024-01-01"),
    pd.Timedelta(days=1), range(3), 1j, Lock(), object(),
]  # fmt: skip


def test_different_values_have_different_forms_and_forms_are_json():
    forms = [canonical_json(form(value)) for value in DIFFERENT]
    twice = {one for one in forms if forms.count(one) > 1}
    assert twice == set()
    for one in forms:
        assert canonical_json(msgspec.json.decode(one)) == one
        assert not re.search("0x[0-9a-f]{6}", one)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.dates(),
    lambda inner: st.lists(inner, max_size=4).map(tuple),
    max_leaves=8,
)


@given(st.lists(st.tuples(VALUES, VALUES), max_size=6), st.randoms(use_true_random=False))
def test_the_order_of_dicts_and_sets_does_not_count(pairs, random):
    mixed = list(dict(pairs).items())
    random.shuffle(mixed)
    assert form(dict(pairs)) == form(dict(mixed))
    assert form({key for key, _ in pairs}) == form({key for key, _ in mixed})


def test_what_has_no_value_of_its_own_counts_by_its_type():
    assert form(Lock()) == form(Lock())
    assert form(object()) == form(object()) == {"type": "object"}


def test_cycles_end_and_depth_is_bounded():
    loop: list[object] = [1]
    loop.append(loop)
    assert form(loop) == [1, {"type": "cycle", "up": 0}]
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    assert len(canonical_json(form(deep))) < 5000


def test_what_is_long_counts_by_its_hash():
    first, second = form(list(range(10_000))), form(list(range(1, 10_001)))
    assert first.keys() == {"type", "sha256"}
    assert first != second


def test_places_in_the_project_do_not_count_with_its_folder():
    assert form(Path(__file__).parent)["place"] == "tests/unit/definitions"
    assert form(__file__)["place"] == "tests/unit/definitions/test_captured.py"
    outside = captured(partial(print_it, __file__), ELSEWHERE)
    assert outside["arguments"][0]["value"] == __file__


def make(client, extra=None):
    @lg.task
    def load(month, day=3, *, hour=4):
        return client, month, day, hour, extra

    return load


def stated(task, **settings) -> Pipeline:
    return lg.pipeline("p", tasks=[task], params={"month": 1}, **settings).definition


def test_two_tasks_of_one_factory_differ_in_structure():
    first, second = stated(make("a")), stated(make("b"))
    work = first.tasks[0].work
    assert work.captured == {
        "closure": {"client": "a", "extra": None},
        "defaults": {"day": 3, "hour": 4},
    }
    assert work.qualname == "make.<locals>.load"
    assert structure_hash(first) != structure_hash(second)
    assert structure_hash(first) == structure_hash(stated(make("a")))


def test_a_nested_function_counts_with_what_it_has():
    inner = make("a").function
    forms = [captured(make("x", extra=one).function, OWN) for one in (inner, make("b").function)]
    assert forms[0]["closure"]["extra"]["closure"]["client"] == "a"
    assert forms[0] != forms[1]


def test_partials_methods_and_objects_say_what_they_have():
    def whole(client, month, **more): ...

    kinds = {
        "by name": partial(whole, client="q"),
        "by position": partial(whole, "q"),
        "method": Loader("m").run,
    }
    works = {name: stated(lg.task(call, name=name)).tasks[0].work for name, call in kinds.items()}
    assert works["by name"].captured == {"keywords": {"client": "q"}}
    assert works["by name"].arguments == ("month",)
    assert works["by position"].captured == {"arguments": ["q"]}
    assert works["by position"].arguments == ("month",)
    assert works["method"].captured["self"]["fields"] == {"client": "m"}
    assert works["method"].qualname == "Loader.run"


def test_an_argument_that_a_partial_has_bound_is_not_given_though_a_parameter_has_its_name():
    def whole(month, client): ...

    task = lg.task(partial(whole, client="q"), name="t")
    pipeline = lg.pipeline("p", tasks=[task], params={"month": 1, "client": "z"})
    assert pipeline.definition.tasks[0].work.arguments == ("month",)


def test_a_task_made_of_a_task_is_made_of_its_function():
    task = make("a")
    assert lg.task(task, name="again").function is task.function
    assert lg.task(partial(task, day=4)).name == "load"
    assert lg.task(partial(task, day=4)).function.func is task.function


def test_what_has_no_name_needs_one():
    class Called:
        def __call__(self): ...

    for call in (lambda: 1, Called()):
        with pytest.raises(DefinitionError, match=r"needs name="):
            lg.task(call)
        assert lg.task(call, name="x").name == "x"
