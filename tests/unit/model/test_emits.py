"""Which names a run of a pipeline may hand on."""

from lineagegraph.model.pipelines.definition import (
    CommandTask,
    Emit,
    GroupTask,
    Parameter,
    Pipeline,
    PipelineTask,
    Task,
)
from lineagegraph.model.pipelines.emits import list_payload_names


def task(name: str, *emits: tuple[str, str]) -> Task:
    declared = tuple(Emit(name=name, type=type_) for name, type_ in emits)
    return Task(name=name, work=CommandTask(command=("true",)), emits=declared)


def pipeline(*tasks: Task) -> Pipeline:
    parameters = (Parameter(name="day", type="date"), Parameter(name="rows", type="int"))
    return Pipeline(name="p", namespace="n", tasks=tasks, parameters=parameters)


def test_names_are_those_of_parameters_and_of_emitted_values_with_and_without_their_task() -> None:
    group = Task(name="g", work=GroupTask(tasks=(task("a", ("rows", "int"), ("at", "date")),)))
    assert list_payload_names(pipeline(group, task("silent"))) == {
        "day": "date",
        "rows": "int",
        "g.a.rows": "int",
        "at": "date",
        "g.a.at": "date",
    }


def test_a_name_of_several_types_may_be_any_json() -> None:
    names = list_payload_names(pipeline(task("a", ("rows", "str")), task("b", ("x", "int"))))
    assert names is not None
    assert (names["rows"], names["a.rows"], names["x"]) == ("json", "str", "int")


def test_a_nested_pipeline_hands_on_what_its_tasks_emit_and_not_its_parameters() -> None:
    nested = Task(name="n", work=PipelineTask(pipeline=pipeline(task("a", ("x", "int")))))
    outer = Pipeline(name="o", namespace="n", tasks=(nested,))
    assert list_payload_names(outer) == {"x": "int", "n.a.x": "int"}


def test_one_task_that_declares_nothing_may_emit_anything() -> None:
    free = Task(name="b", work=CommandTask(command=("true",)))
    assert list_payload_names(pipeline(task("a", ("x", "int")), free)) is None
