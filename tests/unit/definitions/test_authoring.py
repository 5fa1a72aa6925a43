"""What a definition file may say, and what it is told when it errs."""

import re
from datetime import date

import pytest

import lineagegraph as lg
from lineagegraph.errors import DefinitionCycle, DefinitionError, InvalidParameter
from lineagegraph.model.pipelines.definition import Emit, GroupTask, PipelineTask, PythonTask


@lg.task
def clean(spark: object, month: int) -> int:
    return month * 2


@lg.task(after=clean, retries=2, retry_delay="5s", timeout="10m")
def daily(month: int, day: int = 3, *args: int) -> int:
    return month + day


@lg.task
def loop() -> None: ...


def define(*tasks, **settings):
    return lg.pipeline("p", tasks=tasks, **settings)


def test_a_task_can_be_called_by_hand():
    assert clean(None, month=4) == 8


def test_a_task_says_how_it_is_run():
    first, second = define(clean, daily, params={"month": 1}).definition.tasks
    assert first.work == PythonTask(module=__name__, qualname="clean", arguments=("spark", "month"))
    assert second.work.arguments == ("month",)
    assert (second.after, second.retries, second.retry_delay, second.timeout) == (
        ("clean",),
        2,
        5.0,
        600.0,
    )


def test_an_argument_with_a_default_may_be_a_parameter_too():
    (task,) = define(
        lg.task(name="d")(daily.function), params={"month": int, "day": 1}
    ).definition.tasks
    assert task.work.arguments == ("month", "day")


def test_a_task_says_what_it_emits_in_any_order_and_may_say_that_it_is_nothing():
    function = lg.task(emits={"files": int, "day": date})(loop.function)
    command = lg.command("c", ["x"], emits={})
    submit = lg.spark_submit("s", "x.py", emits={"stats": dict})
    tasks = define(function, command, submit, lg.command("d", ["x"])).definition.tasks
    assert [task.emits for task in tasks] == [
        (Emit(name="day", type="date"), Emit(name="files", type="int")),
        (),
        (Emit(name="stats", type="dict"),),
        None,
    ]


def test_groups_nest_and_are_waited_for():
    inner = lg.group("inner", tasks=[clean, daily])
    outer = lg.group("outer", tasks=[inner])
    pipeline = define(outer, lg.command("c", ["true"], after=outer), params={"month": 1})
    group, command = pipeline.definition.tasks
    assert isinstance(group.work, GroupTask)
    assert [task.name for task in group.work.tasks[0].work.tasks] == ["clean", "daily"]
    assert command.after == ("outer",)


def test_a_pipeline_is_a_task_of_another_with_values_for_its_parameters():
    inner = lg.pipeline("inner", tasks=[clean], params={"month": int})
    after = lg.command("c", ["true"], after=inner)
    task, then = define(inner.as_task(params={"month": "7"}), after).definition.tasks
    assert isinstance(task.work, PipelineTask)
    assert task.work.params == {"month": 7}
    assert then.after == ("inner",)


def test_a_pipeline_handle_alone_is_a_task_with_its_defaults():
    inner = lg.pipeline("inner", tasks=[clean], params={"month": 5})
    (task,) = define(inner).definition.tasks
    assert task.work.params == {"month": 5}


def test_a_nested_pipeline_without_a_required_value_is_refused():
    inner = lg.pipeline("inner", tasks=[clean], params={"month": int})
    with pytest.raises(InvalidParameter, match="parameter month of inner: missing"):
        inner.as_task()


def test_spark_configuration_becomes_text():
    pipeline = define(lg.command("c", ["true"]), spark={"a": 4, "b": True, "c": "x"})
    assert pipeline.definition.spark == {"a": "4", "b": "true", "c": "x"}


def test_a_cycle_is_refused_with_its_path():
    tasks = [
        lg.command("a", ["true"], after="c"),
        lg.command("b", ["true"], after="a"),
        lg.command("c", ["true"], after="b"),
    ]
    with pytest.raises(DefinitionCycle, match=r"test_authoring\.py:\d+: .*a -> b -> c -> a"):
        define(*tasks)


def test_a_task_after_itself_is_a_cycle():
    with pytest.raises(DefinitionCycle, match="a -> a"):
        define(lg.command("a", ["true"], after="a"))


WRONG = [
    (lambda: define(), "has no tasks"),
    (lambda: define(clean), "task clean: argument 'month' is neither 'spark' nor a parameter"),
    (lambda: define(loop, loop), "two tasks 'loop'"),
    (lambda: define(daily, params={"month": 1}), "after 'clean', which is not a task of"),
    (lambda: define(lg.command("a", ["x"], after="zzz")), "after 'zzz', which is not a task of"),
    (
        lambda: define(lg.task(name="clean")(loop.function), daily, params={"month": 1}),
        "after 'clean', which is not a task of",
    ),
    (lambda: define(lg.command("a", ["x"], after=[3])), "must be tasks or names of tasks"),
    (lambda: define(len), "is not a task: decorate a function"),
    (lambda: lg.group("g", tasks=[]) and define(lg.group("g", tasks=[])), "group g has no tasks"),
    (lambda: lg.task(len), "not a plain function"),
    (lambda: lg.command("a\nb", ["x"]), "control characters"),
    (lambda: lg.command("", ["x"]), "is empty"),
    (lambda: lg.command("a", "echo hi"), "must be a list of texts"),
    (lambda: lg.command("a", []), "must be a list of texts"),
    (lambda: lg.command("a", ["x"], retries=-1), "must be 0 or more"),
    (lambda: lg.command("a", ["x"], timeout="soon"), "timeout 'soon' is not a duration"),
    (lambda: lg.command("a", ["x"], timeout=0), "must be more than 0"),
    (lambda: define(lg.command("a", ["{month}"])), "{month} is not a parameter"),
    (lambda: define(lg.spark_submit("a", "x.py", args=["{y}"])), "{y} is not a parameter"),
    (lambda: lg.task(emits={"_x": int})(loop.function), "emits '_x': use a Python name"),
    (lambda: lg.command("a", ["x"], emits={"x": "int"}), "emits 'x': 'int' must be one of bool,"),
    (lambda: lg.spark_submit("a", "x.py", emits={"x": list[str]}), "list[str] must be one of"),
    (lambda: lg.command("a", ["x"], emits=["x"]), "emits=['x'] must be {name: type}"),
    (lambda: define(loop, concurrency=0), "must be 1 or more"),
    (lambda: define(loop, trigger="nyc.load"), "is not a condition"),
    (lambda: define(loop, params={"spark": 1}), "other than 'spark'"),
    (lambda: define(loop, params={"x": None}), "is not supported"),
    (lambda: define(loop, params={"x": [object()]}), "expected JSON"),
    (
        lambda: define(lg.command("g.a", ["x"]), lg.group("g", tasks=[lg.command("a", ["x"])])),
        "two tasks with the path 'g.a'",
    ),
]


@pytest.mark.parametrize(("make", "says"), WRONG, ids=[says for _, says in WRONG])
def test_what_is_wrong_is_said_with_file_and_line(make, says):
    with pytest.raises(DefinitionError, match=re.escape(says)) as error:
        make()
    assert re.search(r"test_authoring\.py:\d+: ", str(error.value))
    assert "\n" not in str(error.value)


def test_generators_are_no_tasks_and_async_functions_no_sensors():
    async def later() -> None: ...

    async def many_later():
        yield 1

    def many():
        yield 1

    assert lg.task(later).name == "later"
    with pytest.raises(DefinitionError, match="is async: a sensor must be a plain"):
        lg.sensor(later)
    with pytest.raises(DefinitionError, match="is an async generator"):
        lg.task(many_later)
    with pytest.raises(DefinitionError, match="is a generator"):
        lg.task(many)


def test_a_partition_is_by_parameters_that_there_are():
    stated = define(loop, params={"region": str}, partition_by="region")
    assert stated.definition.partition_by == ("region",)
    with pytest.raises(
        DefinitionError, match="partition_by='zone' is not a parameter of pipeline p"
    ):
        define(loop, params={"region": str}, partition_by=["zone"])
