"""Hashes: the same for the same definition, wherever and in whatever order it was read."""

import os
import subprocess
import sys
from pathlib import Path

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from lineagegraph.authoring import on
from lineagegraph.code.hashing import code_hash, structure_hash, version_hash
from lineagegraph.model.pipelines.definition import (
    CommandTask,
    Emit,
    GroupTask,
    Parameter,
    Pipeline,
    Task,
)
from lineagegraph.model.runs.states import RunState
from lineagegraph.model.triggers.condition import OnDataset, OnStatus
from lineagegraph.model.triggers.trigger import Trigger

ROWS = Emit(name="rows", type="int")
NAMES = st.text(st.characters(codec="utf-8"), min_size=1, max_size=5)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | NAMES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=5,
)


@st.composite
def pipelines(draw: st.DrawFn) -> Pipeline:
    names = draw(st.lists(NAMES, min_size=1, max_size=4, unique=True))
    tasks = []
    for index, name in enumerate(names):
        work = CommandTask(command=tuple(draw(st.lists(NAMES, min_size=1, max_size=3))))
        after = tuple(draw(st.permutations(names[:index])))
        tasks.append(Task(name=name, work=work, after=after))
    group = Task(name="in a group", work=GroupTask(tasks=tuple(tasks)))
    declared = draw(st.dictionaries(NAMES, JSON, max_size=3))
    return Pipeline(
        name="p",
        namespace="n",
        tasks=(*tasks, group),
        parameters=tuple(Parameter(name=n, type="json", default=v) for n, v in declared.items()),
        spark=draw(st.dictionaries(NAMES, NAMES, max_size=3)),
    )


def shuffled(pipeline: Pipeline, data: st.DataObject) -> Pipeline:
    def mix(items):
        return tuple(data.draw(st.permutations(items)))

    def mix_tasks(tasks):
        return mix([msgspec.structs.replace(t, after=mix(t.after), work=mix_in(t)) for t in tasks])

    def mix_in(task):
        work = task.work
        return GroupTask(tasks=mix_tasks(work.tasks)) if isinstance(work, GroupTask) else work

    return msgspec.structs.replace(
        pipeline,
        tasks=mix_tasks(pipeline.tasks),
        parameters=mix(pipeline.parameters),
        spark=dict(mix(list(pipeline.spark.items()))),
    )


@given(pipelines(), st.data())
def test_the_order_in_which_things_are_listed_does_not_count(pipeline, data):
    assert structure_hash(shuffled(pipeline, data)) == structure_hash(pipeline)


def changed(pipeline: Pipeline) -> list[Pipeline]:
    replace = msgspec.structs.replace
    first, *rest = pipeline.tasks
    return [
        replace(pipeline, name="q"),
        replace(pipeline, namespace="m"),
        replace(pipeline, concurrency=5),
        replace(pipeline, spark=pipeline.spark | {"a longer key": "x"}),
        replace(pipeline, parameters=(*pipeline.parameters, Parameter(name="longer", type="int"))),
        replace(pipeline, tasks=tuple(rest)),
        replace(pipeline, tasks=(replace(first, retries=1), *rest)),
        replace(pipeline, tasks=(replace(first, after=("in a group",)), *rest)),
        replace(pipeline, tasks=(replace(first, work=CommandTask(command=())), *rest)),
        replace(pipeline, tasks=(replace(first, emits=()), *rest)),
        replace(pipeline, tasks=(replace(first, emits=(ROWS,)), *rest)),
        replace(
            pipeline, tasks=(replace(first, emits=(ROWS, Emit(name="at", type="date"))), *rest)
        ),
    ]


@given(pipelines())
def test_every_change_gives_another_hash(pipeline):
    hashes = [structure_hash(one) for one in (pipeline, *changed(pipeline))]
    assert len(set(hashes)) == len(hashes)


@given(pipelines())
def test_a_definition_sent_as_json_keeps_its_hash(pipeline):
    again = msgspec.json.decode(msgspec.json.encode(pipeline), type=Pipeline)
    assert structure_hash(again) == structure_hash(pipeline)


def with_default(default: object) -> Pipeline:
    parameter = Parameter(name="x", type="json", default=default)
    return Pipeline(name="p", namespace="n", tasks=(), parameters=(parameter,))


def test_order_counts_in_a_users_own_values_whatever_their_names():
    assert structure_hash(with_default({"tasks": [1, 2], "after": [1, 2]})) != structure_hash(
        with_default({"tasks": [2, 1], "after": [2, 1]})
    )


def test_the_order_of_arguments_of_a_command_counts():
    def hashed(*command: str) -> str:
        return structure_hash(
            Pipeline(
                name="p", namespace="n", tasks=(Task(name="a", work=CommandTask(command=command)),)
            )
        )

    assert hashed("cp", "a", "b") != hashed("cp", "b", "a")


def test_what_comes_first_in_a_sequence_counts():
    a, b = on.success("a"), on.success("b")
    rules = [(Trigger(when=on.sequence(*each)),) for each in ((a, b), (b, a))]
    one, other = (msgspec.structs.replace(with_default(1), triggers=rule) for rule in rules)
    assert structure_hash(one) != structure_hash(other)


def test_a_and_b_is_the_same_trigger_as_b_and_a():
    a = OnStatus(job="a", statuses=(RunState.FAILED, RunState.KILLED))
    b = OnDataset(namespace="file", name="/b")
    one = msgspec.structs.replace(with_default(1), triggers=(Trigger(when=a & b),))
    other = msgspec.structs.replace(with_default(1), triggers=(Trigger(when=b & a),))
    assert structure_hash(one) == structure_hash(other)
    assert structure_hash(one) != structure_hash(
        msgspec.structs.replace(with_default(1), triggers=(Trigger(when=a | b),))
    )


def test_line_endings_and_file_order_do_not_count_and_bytes_do():
    assert code_hash({"a.py": b"x\r\ny\r\n", "b.py": b""}) == code_hash(
        {"b.py": b"", "a.py": b"x\ny\n"}
    )
    assert code_hash({"a.jar": b"\xff"}) != code_hash({"a.jar": b"\xfe"})
    assert code_hash({"a.py": b"x"}) != code_hash({"b.py": b"x"})


def test_a_version_follows_from_both_hashes():
    assert len({version_hash("a", "b"), version_hash("b", "a"), version_hash("a", "c")}) == 3


def test_every_python_process_finds_the_same_hash():
    program = (
        "import lineagegraph as lg\n"
        "from lineagegraph.code.hashing import structure_hash\n"
        "names = list({'a', 'b', 'c', 'd'})\n"
        "tasks = [lg.command(n, ['true'], after={'a', 'b', 'c'} - {n} if n == 'd' else None)"
        " for n in names]\n"
        "p = lg.pipeline('p', tasks=tasks, params={n: 1 for n in names},"
        " spark={n: n for n in names})\n"
        "print(structure_hash(p.definition))\n"
    )
    package = Path(__file__).parents[3]
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program],
            env=os.environ | {"PYTHONHASHSEED": seed},
            cwd=package,
            check=True,
            capture_output=True,
        ).stdout
        for seed in ("0", "1", "42")
    }
    assert len(outputs) == 1


STATED = """
@lg.task(name="load", retries=2)
def load(month): ...

lg.pipeline("p", tasks=[load], params={"month": 1}, concurrency=2)
"""


def test_a_comment_changes_the_code_and_a_parameters_name_the_structure(read):
    def hashes(text: str) -> tuple[str, str]:
        (parsed,) = read(text)
        return parsed.version.structure_hash, parsed.version.code_hash

    structure, code = hashes(STATED)
    assert hashes(STATED + "# a comment\n") == (structure, code)
    commented = hashes(STATED.replace("...", "...  # a comment"))
    assert commented[0] == structure
    assert commented[1] != code
    assert hashes(STATED.replace("month", "year"))[0] != structure
    reordered = STATED.replace('name="load", retries=2', 'retries=2, name="load"').replace(
        'params={"month": 1}, concurrency=2', 'concurrency=2, params={"month": 1}'
    )
    assert reordered != STATED
    assert hashes(reordered)[0] == structure


def test_how_an_editor_writes_text_does_not_count_and_binary_files_are_as_they_are():
    text = code_hash({"a.py": b"x\ny\n"})
    assert code_hash({"a.py": b"\xef\xbb\xbfx\ry\r"}) == text
    assert code_hash({"a.jar": b"\0x\r\n"}) != code_hash({"a.jar": b"\0x\n"})


def test_what_has_its_default_is_as_if_not_said():
    plain = with_default(1)
    assert structure_hash(plain) == structure_hash(msgspec.structs.replace(plain, concurrency=4))
    assert structure_hash(plain) != structure_hash(msgspec.structs.replace(plain, concurrency=5))
