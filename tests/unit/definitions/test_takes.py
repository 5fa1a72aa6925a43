import pytest

import lineagegraph as lg
from lineagegraph.errors import DefinitionCycle, DefinitionError


@lg.task
def load() -> list[int]:
    return [1]


def define(*tasks, **settings):
    return lg.pipeline("p", tasks=tasks, **settings).definition


def test_a_task_comes_after_those_whose_values_it_takes():
    @lg.task(takes={"rows": load.output, "more": load.output}, after=load)
    def count(rows: list[int], month: int, more: "list[int] | None" = None): ...

    _, second = define(load, count, params={"month": 1}).tasks
    assert second.after == ("load",)
    assert second.work.takes == {"rows": "load", "more": "load"}
    assert second.work.optional == ("more",)
    assert second.work.arguments == ("rows", "month", "more")


def taking(function=lambda rows: rows, **options):
    return lg.task(function, name="count", **{"takes": {"rows": load.output}} | options)


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda: define(taking(takes={"rows": load})), "is not an output: write load.output"),
        (lambda: define(taking()), "task count is after 'load', which is not a task of pipeline p"),
        (
            lambda: define(load, taking(takes={"row": load.output}), params={"rows": 1}),
            "takes 'row', which is not an argument of its function .did you mean rows",
        ),
        (
            lambda: define(load, taking(), params={"rows": 1}),
            "takes 'rows', which is a parameter of its pipeline: rename the argument",
        ),
        (lambda: define(load, taking(identity=["rows"])), "identity"),
        (lambda: lg.batch("b", tasks=[load, taking()]), "takes is not for the tasks of a batch"),
    ],
)
def test_what_cannot_be_taken_is_refused(make, why):
    with pytest.raises(DefinitionError, match=why):
        make()


def test_the_type_of_an_argument_must_be_known_and_readable():
    def unknown(rows: "Missing"): ...  # noqa: F821

    def unreadable(rows: list[int] | tuple[int, ...]): ...

    for function, why in ((unknown, "'Missing' is not defined"), (unreadable, "array-like")):
        with pytest.raises(DefinitionError, match=f"the type of argument 'rows' .*{why}"):
            define(load, taking(function))


def test_tasks_that_take_from_each_other_are_a_cycle():
    first = lg.task(lambda rows: rows, name="first", takes={"rows": load.output})
    object.__setattr__(load, "after", (first,))
    try:
        with pytest.raises(DefinitionCycle):
            define(load, first)
    finally:
        object.__setattr__(load, "after", ())
