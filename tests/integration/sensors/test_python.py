"""A python sensor calls a function in a process of its own, which ends with its time."""

import asyncio
import os
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from types import MethodType
from typing import Any

import psutil
import pytest

from lineagegraph.errors import InvalidSensor, PokeFailed
from lineagegraph.model.new_items import NewItems
from lineagegraph.sensing.isolated_poke import Apart
from lineagegraph.sensors import (
    Sensor,
    decode_sensor,
    encode_sensor,
    make_sensor,
    open_context,
    poke_sensor,
    sensor_id,
)
from lineagegraph.settings import Settings
from tests.acceptance.processes import until
from tests.integration.sensors.looks import look, look_at

LEAST = 3


def has_rows(rows: int) -> bool:
    """Stand for what people look at."""
    return rows >= LEAST


def test_a_function_of_an_installed_package_is_called_by_its_name(tmp_path: Path) -> None:
    assert look("python", function="os.path:exists", arguments={"path": str(tmp_path)})
    assert not look("python", function="os.path:exists", arguments={"path": f"{tmp_path}/x"})
    assert make_sensor("python", {"function": os.path.exists}).shown() == {
        "function": "genericpath:exists"
    }


def test_a_function_of_a_project_is_kept_by_value() -> None:
    sensor = make_sensor("python", {"function": has_rows, "arguments": {"rows": 3}})
    read = decode_sensor("python", encode_sensor(sensor))
    assert look_at(read)
    assert "pickle" not in read.shown()
    assert not look("python", function=has_rows, arguments={"rows": 2})


def newest(names: list[str]) -> dict[str, Any]:
    """Stand for a look that finds more than whether it is there."""
    return {"newest": max(names), "count": len(names)} if names else {}


def test_a_function_may_return_values_and_an_empty_dictionary_is_false() -> None:
    found = look("python", function=newest, arguments={"names": ["a", "b"]})
    assert found == {"newest": "b", "count": 2}
    assert not look("python", function=newest, arguments={"names": []})


def test_values_are_json_of_a_bounded_size() -> None:
    def large() -> dict[str, Any]:
        return {"text": "x" * 40_000}

    def odd() -> dict[str, Any]:
        return {"it": object()}

    with pytest.raises(PokeFailed, match="at most 32000 are kept"):
        look("python", function=large)
    with pytest.raises(PokeFailed, match="object is not JSON serializable"):
        look("python", function=odd)


def test_a_function_keeps_what_it_holds() -> None:
    least = 5

    async def slowly(rows: int) -> bool:
        await asyncio.sleep(0)
        return has_rows(rows) and rows >= least

    assert look("python", function=slowly, arguments={"rows": 5})
    assert not look("python", function=slowly, arguments={"rows": 4})


PROGRAM = """
import sys
from importlib.util import module_from_spec, spec_from_file_location
from lineagegraph.sensors import make_sensor, sensor_id
for file in sys.argv[1:]:
    spec = spec_from_file_location("etl", file)
    sys.modules["etl"] = module = module_from_spec(spec)
    spec.loader.exec_module(module)
    print(sensor_id(make_sensor("python", {"function": module.ready, "arguments": {"day": 1}})))
"""
ETL = """
import os
import re
from pathlib import Path
KNOWN = {'a', 'b', 'c'}
path = 'names no global here'
class Store:
    least = 3
    pattern = re.compile('x+')
    @property
    def size(self):
        return len(KNOWN) >= self.least
    @staticmethod
    def other(name):
        return os.path.basename(name)
store = Store()
def inside(name):
    return name in KNOWN
def ready(day):
    return Path('/x').exists() and inside(str(day)) and os.path.sep and store.size
"""


def _ids(files: list[Path], seed: str) -> list[str]:
    command = [sys.executable, "-c", PROGRAM, *map(str, files)]
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return done.stdout.split()


def test_the_same_function_is_one_sensor_in_every_process(tmp_path: Path) -> None:
    moved = f"# moved\n\n{ETL}"
    unused = ETL.replace("no global here", "nothing")
    others = [("'c'", "'d'"), ("in KNOWN", "not in KNOWN"), ("least = 3", "least = 4"), ("x+", "y")]
    texts = [ETL, moved, unused, *(ETL.replace(*change) for change in others)]
    files = [tmp_path / f"{number}.py" for number in range(len(texts))]
    for file, text in zip(files, texts, strict=True):
        file.write_text(text)
    first, *found = _ids(files, "1")
    assert found[:2] == [first, first]
    assert len({first, *found[2:]}) == 1 + len(others)
    assert _ids(files[:1], "2") == [first]


def test_whatever_is_called_may_be_given() -> None:
    class Store:
        def __init__(self, rows: int) -> None:
            self.rows = rows

        def __call__(self) -> bool:
            return has_rows(self.rows)

        def is_full(self, least: int) -> bool:
            return self.rows >= least

    for function in (Store(3), Store(3).is_full, partial(Store(3).is_full, least=3)):
        arguments = {"least": 3} if isinstance(function, MethodType) else {}
        assert look("python", function=function, arguments=arguments)
    one, same, other = (make_sensor("python", {"function": Store(n)}) for n in (1, 1, 2))
    assert sensor_id(one) == sensor_id(same) != sensor_id(other)


def test_arguments_tell_sensors_apart() -> None:
    one = make_sensor("python", {"function": has_rows, "arguments": {"rows": 1}})
    same = make_sensor("python", {"function": has_rows, "arguments": {"rows": 1}})
    other = make_sensor("python", {"function": has_rows, "arguments": {"rows": 2}})
    assert sensor_id(one) == sensor_id(same)
    assert sensor_id(one) != sensor_id(other)


@pytest.mark.parametrize("limit", [float("nan"), [float("inf")]])
def test_arguments_that_json_does_not_have_are_refused_and_not_passed_as_none(limit: Any) -> None:
    fields = {"function": has_rows, "arguments": {"rows": limit}}
    with pytest.raises(InvalidSensor, match="field arguments cannot be written as JSON"):
        make_sensor("python", fields)


def is_gone(pid: int) -> bool:
    return not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE


def test_a_function_that_hangs_ends_with_its_time_and_all_that_it_started(tmp_path: Path) -> None:
    noted = tmp_path / "pid"

    def hang() -> bool:
        child = subprocess.Popen(["sleep", "600"])
        noted.write_text(f"{child.pid}")
        time.sleep(600)
        return True

    with pytest.raises(PokeFailed, match=r"no answer within 2s"):
        look("python", function=hang, seconds=2)
    until(lambda: is_gone(int(noted.read_text())))


def test_a_pipe_that_nobody_writes_ends_with_the_time(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    arguments = {"file": str(tmp_path / "pipe")}
    with pytest.raises(PokeFailed, match=r"no answer within 0\.5s"):
        look("python", function="builtins:open", arguments=arguments, seconds=0.5)


def _raise() -> bool:
    raise ValueError("no\nsuch table")


def _leave() -> bool:
    os._exit(3)


def _unbegun():
    yield False


def _nothing() -> None:
    print("said, and no answer")


def _end() -> bool:
    sys.exit("over")


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (_raise, "ValueError: no such table"),
        (_leave, "its process ended with status 3 without an answer"),
        (_nothing, "returned None: it must return True, False, a dictionary or new_items()"),
        (lambda: _unbegun(), "returned a generator, whose code has not run"),
        (lambda: (one for one in ()), "returned a generator, whose code has not run"),
        (lambda: filter(None, ()), "returned an iterator of type filter, which is always true"),
        (_end, "SystemExit: over"),
        (os.abort, "its process ended by SIGABRT without an answer"),
        ("nothing.there:f", "ModuleNotFoundError"),
        ("os:nothing", "AttributeError"),
        (has_rows, "TypeError: .*missing 1 required positional argument"),
    ],
)
def test_a_function_that_does_not_answer_is_an_error(function: Any, said: str) -> None:
    with pytest.raises(PokeFailed, match=said) as caught:
        look("python", function=function)
    assert "\n" not in str(caught.value)


def test_a_function_that_cannot_be_kept_is_refused() -> None:
    held = (number for number in range(3))

    def ready() -> bool:
        return next(held) > 1

    with pytest.raises(InvalidSensor, match="cannot be kept: TypeError: cannot pickle 'generator'"):
        make_sensor("python", {"function": ready})


def test_code_of_another_python_is_not_run() -> None:
    sensor = make_sensor("python", {"function": "f", "pickle": "AA==", "python": "3.7"})
    with pytest.raises(PokeFailed, match=r"kept by value for Python 3\.7"):
        look_at(sensor)


@pytest.mark.parametrize("function", ["", "os", "os:", ":f", "os:a b", "o/s:f"])
def test_what_names_no_function_is_refused(function: str) -> None:
    with pytest.raises(InvalidSensor, match=r"package\.module:function"):
        make_sensor("python", {"function": function})


def takes(megabytes: int) -> bool:
    return len(b"x" * (megabytes * 1_000_000)) > 0


def test_a_function_that_takes_too_much_memory_is_an_error() -> None:
    limited = {"sensor_memory_bytes": 400_000_000}
    assert look("python", function=takes, arguments={"megabytes": 100}, settings=limited)
    with pytest.raises(PokeFailed, match="MemoryError"):
        look("python", function=takes, arguments={"megabytes": 500}, settings=limited)


def since(cursor: int | None, last: int) -> Any:
    """Find numbers after the cursor, two at a time."""
    from lineagegraph import new_items

    new = list(range((cursor or 0) + 1, last + 1))[:2]
    return new_items([{"number": one} for one in new], cursor=new[-1] if new else cursor)


def _poked(sensor: Sensor, cursor: str | None) -> Any:
    async def once() -> Any:
        async with open_context(Settings()) as context:
            return await poke_sensor(sensor, context, cursor)

    return asyncio.run(once())


def test_a_function_gets_the_cursor_and_returns_new_items_with_the_next() -> None:
    sensor = make_sensor("python", {"function": since, "arguments": {"last": 3}})
    first = _poked(sensor, None)
    assert first == NewItems(('{"number":1}', '{"number":2}'), "2")
    assert _poked(sensor, first.cursor) == NewItems(('{"number":3}',), "3")
    assert not _poked(sensor, "3")


def test_an_isolated_process_hands_the_cursor_on_and_large_answers_back() -> None:
    def large(cursor: int | None) -> Any:
        from lineagegraph import new_items

        return new_items([{"é": '"' * 950, "n": n} for n in range(250)], cursor=cursor)

    sensor = make_sensor("python", {"function": large})

    async def once() -> Any:
        return await Apart(30).look(sensor, '"é"')

    found = asyncio.run(once())
    assert (len(found.items), found.cursor) == (250, '"é"')


@pytest.mark.parametrize(
    ("items", "cursor", "error"),
    [
        ([{"n": n} for n in range(501)], 1, "501 items, and at most 500 are taken at once"),
        ([{"n": "x" * 10_000}] * 60, 1, "bytes of items, and at most 500000"),
        ([{"n": "x" * 40_000}], 1, "an item has .* bytes, and at most 32000 are kept"),
        ([{"n": 1}], "x" * 165_000, "the cursor has .* bytes, and at most 160000 are kept"),
        ([{"n": 1}], object(), "the cursor cannot be written as JSON"),
        ([{"n": 1}], float("nan"), "the cursor cannot be written as JSON: Out of range"),
        ([{"n": float("inf")}], 1, "an item cannot be written as JSON: Out of range"),
        (["a.csv"], 1, "an item is a dictionary of values, not 'a.csv'"),
    ],
)
def test_items_are_bounded_with_a_clear_error(items: Any, cursor: Any, error: str) -> None:
    def found() -> Any:
        from lineagegraph import new_items

        return new_items(items, cursor=cursor)

    with pytest.raises((PokeFailed, InvalidSensor), match=error):
        look("python", function=found)
