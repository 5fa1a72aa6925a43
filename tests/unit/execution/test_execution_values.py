import re
from base64 import b64encode
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from functools import partial
from hashlib import sha256
from typing import Any, Protocol, TypedDict

import msgspec
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lineagegraph.errors import ValueRefused
from lineagegraph.execution.values.decode import read_inputs
from lineagegraph.execution.values.encode import encode_value
from lineagegraph.model.pipelines.definition import PythonTask, Task
from lineagegraph.model.runs.encoded import EncodedValue
from lineagegraph.model.runs.states import RunState
from lineagegraph.model.runs.values import JSON, TaskInput, TaskValue

PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner) | st.dictionaries(st.text("aé☃"), inner),
    max_leaves=8,
)


@dataclass
class Part:
    at: datetime


class Whole(msgspec.Struct):
    parts: list[Part]
    share: Decimal
    ids: dict[int, set[str]]


def takes_whole(it: "Whole | None"): ...


def takes_any(it): ...


def passed(value, function=takes_any):
    found = encode_value(value)
    return read_inputs(function, {"it": TaskInput("load", kept(found), "/")})["it"]


def kept(found: EncodedValue) -> TaskValue:
    digest = sha256(found.data).hexdigest()
    text = found.data.decode() if found.kind == JSON else b64encode(found.data).decode()
    return TaskValue(kind=found.kind, size=len(found.data), sha256=digest, text=text)


@given(PLAIN)
def test_plain_data_arrives_as_it_was(value):
    assert passed(value) == value


def test_a_value_arrives_in_the_type_of_the_argument():
    whole = Whole([Part(datetime(2026, 1, 2, tzinfo=UTC))], Decimal("0.10"), {7: {"a", "b"}})
    assert passed(whole, takes_whole) == whole
    assert passed(whole, partial(takes_whole)) == whole
    assert passed(None, takes_whole) is None


@pytest.mark.parametrize(
    ("value", "why"),
    [
        (float("nan"), "Out of range float values"),
        (object(), "the returned object is neither JSON nor an Arrow table"),
        ({"a": [{1, 2}, print]}, "builtin_function_or_method"),
        ("\ud800", "surrogates not allowed"),
        ({"a": [{1: "a", "1": "b"}]}, "keys of a dict are the same text"),
        ({date(2026, 1, 2): 1, "2026-01-02": 2}, "keys of a dict are the same text"),
    ],
)
def test_what_is_not_json_is_refused_in_one_line(value, why):
    with pytest.raises(ValueRefused, match=re.escape(why)) as refused:
        encode_value(value)
    assert "\n" not in str(refused.value)


def test_a_list_in_itself_is_refused():
    endless: list[object] = []
    endless.append(endless)
    with pytest.raises(ValueRefused, match="the returned list is neither JSON nor"):
        encode_value(endless)


def test_a_file_outside_the_folder_of_logs_is_not_read(tmp_path):
    (tmp_path / "secret").write_text("1")
    value = TaskValue(kind="json", size=1, sha256="", file="../secret")
    with pytest.raises(ValueRefused, match="is not below"):
        read_inputs(takes_any, {"it": TaskInput("load", value, str(tmp_path / "logs"))})


def test_a_value_passes_from_task_to_task_and_a_large_one_by_a_file(bench):
    seen = []
    table = pa.table({"n": range(100_000)})
    bench.functions |= {"use": lambda rows, made: seen.append((rows, made))}
    use = PythonTask(
        module="bench", qualname="use", takes={"rows": "few", "made": "many"}, arguments=("rows",)
    )
    state = bench.run(
        bench.task(lambda: [1, 2], name="few"),
        bench.task(lambda: table, name="many"),
        Task(name="use", work=use, after=("few", "many")),
    )
    assert state is RunState.COMPLETED
    [(rows, made)] = seen
    assert rows == [1, 2]
    assert made.equals(table)
    output = bench.own("p.many", "COMPLETE")["output"]
    assert output["shape"] == "100,000 rows (n: int64)"
    assert "text" not in output
    assert bench.own("p.few", "COMPLETE")["output"]["text"] == "[1,2]"
    assert "output" not in bench.own("p.use", "COMPLETE")


class Streamed(Protocol):
    def __arrow_c_stream__(self, requested_schema=None): ...


class Row(TypedDict):
    n: int


@pytest.mark.parametrize(
    ("stated", "fits"),
    [
        (pa.Table, True),
        (pa.Table | None, True),
        ("pa.Table", True),
        ("not_imported.Table", True),
        (object, True),
        (Any, True),
        (Streamed, True),
        (Streamed | None, True),
        (Row, False),
        (list[int], False),
        (int | None, False),
        (Whole, False),
    ],
)
def test_a_table_fits_no_argument_of_another_type(stated, fits):
    def function(it): ...

    function.__annotations__["it"] = stated
    table = pa.table({"n": [1]})
    given = {"it": TaskInput("load", kept(encode_value(table)), "/")}
    if fits:
        assert read_inputs(function, given)["it"] == table
    else:
        with pytest.raises(ValueRefused, match="argument it: the value that task load returned"):
            read_inputs(function, given)
