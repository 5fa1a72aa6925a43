"""Functions of tasks, kept by value and loaded where the definition file is not run again."""

import inspect
import re
import sys
import traceback
from pathlib import Path
from types import ModuleType

import pytest

from lineagegraph.code.by_value.unpickler import StoredModule
from lineagegraph.code.load import KeptFunctions
from lineagegraph.errors import DefinitionError
from lineagegraph.model.pipelines.hierarchy import tasks_in
from lineagegraph.project.archive import unpack
from lineagegraph.reading.parser import ParsedPipeline

RAN = "print('executed', __name__)\n"


class Loaded:
    """The tasks of a parsed pipeline as a worker has them."""

    def __init__(self, parsed: ParsedPipeline, folder: Path) -> None:
        unpack(parsed.source.content, folder)
        self.folder = folder
        self.parsed = parsed
        assert parsed.code is not None
        self.code = parsed.code
        self._functions = KeptFunctions(folder, parsed.code)
        self._tasks = dict(self._walk(parsed.version.pipeline.tasks, ""))

    def __getitem__(self, path: str):
        return self._functions(self._tasks[path].work, path)

    def _walk(self, tasks, above):
        for task in tasks:
            path = f"{above}{task.name}"
            yield path, task
            yield from self._walk(tasks_in(task.work), f"{path}.")


@pytest.fixture
def load(read, tmp_path_factory):
    _forget(set())
    before = set(sys.modules)

    def load(text: str) -> Loaded:
        (parsed,) = read(text)
        return Loaded(parsed, tmp_path_factory.mktemp("code"))

    yield load
    _forget(before)


def _forget(kept: set[str]) -> None:
    """Other tests have modules of these names too."""
    for name in set(sys.modules) - kept:
        if isinstance(sys.modules[name], StoredModule) or name.partition(".")[0] == "etl":
            del sys.modules[name]


@pytest.fixture
def library(write):
    def library(text: str) -> None:
        write("etl/lib.py", RAN + text)

    return library


KINDS = """
from functools import partial, wraps
from etl.lib import add

def make(client):
    @lg.task(name=f"load_{client}")
    def load(month): return client, month
    return load

@lg.task
def whole(client, month): return client, month

def doubled(function):
    @wraps(function)
    def call(*args, **kwargs): return 2 * function(*args, **kwargs)
    return call

@lg.task
@doubled
def decorated(month): return month

class Loader:
    def __init__(self, client): self.client = client
    def run(self, month): return self.client, add(month)
    def __call__(self, month): return self.client, month

looped = []
for name in "ab":
    @lg.task(name=f"loop_{name}")
    def loop(name=name): return name
    looped.append(loop)

print("executed", __name__)
lg.pipeline("p", params={"month": 1}, tasks=[
    make("x"), make("y"), decorated, *looped,
    lg.task(partial(whole, client="q"), name="partial"),
    lg.task(partial(whole, "q"), name="by position"),
    lg.task(Loader("m").run), lg.task(Loader("o"), name="object"),
    lg.task(whole, name="again") if False else lg.task(lambda: add(1), name="alone"),
    lg.group("g", tasks=[lg.task(lambda month: add(month), name="inner")]),
])
"""


def test_functions_of_all_kinds_run_without_their_files_being_run_again(load, library, capsys):
    library("N = 100\ndef add(x): return x + N\n")
    tasks = load(KINDS)
    given = {"load_x": ("x", 3), "load_y": ("y", 3), "decorated": 6, "partial": ("q", 3)}
    given |= {"by position": ("q", 3), "run": ("m", 103), "object": ("o", 3), "g.inner": 103}
    assert {path: tasks[path](month=3) for path in given} == given
    assert [tasks[path]() for path in ("loop_a", "loop_b", "alone")] == ["a", "b", 101]
    assert capsys.readouterr().out == ""


def test_tasks_share_the_globals_of_a_module_and_see_it_as_that_module(load, library, capsys):
    library(
        "STATE = {'n': 0}\n"
        "class Thing: ...\n"
        "def bump():\n    STATE['n'] += 1\n    return STATE['n']\n"
    )
    tasks = load("""
        from etl import lib
        from etl.lib import Thing, bump
        ONE = Thing()

        @lg.task
        def first(): return bump(), lib.bump(), isinstance(ONE, lib.Thing)

        @lg.task
        def second():
            import etl.lib
            return etl.lib.bump(), lib.STATE

        lg.pipeline("p", tasks=[first, second])
    """)
    assert tasks["first"]() == (1, 2, True)
    assert tasks["second"]() == (3, {"n": 3})
    assert capsys.readouterr().out == ""


def test_a_module_that_is_asked_for_more_runs_its_file_once_and_keeps_its_state(
    load, library, capsys
):
    library("STATE = {'n': 0}\nif STATE: LATE = 7\ndef f(): inside = 1\n")
    tasks = load("""
        from etl import lib
        lib.STATE["n"] = 5

        @lg.task
        def read(): return lib.STATE["n"], getattr(lib, "LA" + "TE"), getattr(lib, "LA" + "TE")

        @lg.task
        def ask(): return [getattr(lib, "no" + "thing", None), getattr(lib, "inside", None)]

        @lg.task
        def miss(): return getattr(lib, "no" + "thing")

        lg.pipeline("p", tasks=[read, ask, miss])
    """)
    assert tasks["ask"]() == [None, None]
    assert capsys.readouterr().out == ""
    assert tasks["read"]() == (5, 7, 7)
    assert capsys.readouterr().out == "executed etl.lib\n"
    with pytest.raises(AttributeError, match=r"'etl\.lib' has no attribute 'nothing'"):
        tasks["miss"]()


def test_imports_in_functions_find_the_archived_modules(load, library, write):
    library("def add(x): return x + 1\n")
    tasks = load("""
        @lg.task
        def late():
            from . import lib
            from etl.lib import add
            return add(lib.add(1)), lib.__file__

        lg.pipeline("p", tasks=[late])
    """)
    write("etl/lib.py", "def add(x): return 'edited'\n")
    assert tasks["late"]() == (3, str(tasks.folder / "etl/lib.py"))


def test_what_cannot_be_pickled_leaves_the_others_alone_and_runs_from_its_file(
    load, library, capsys
):
    library("import threading\nLOCK = threading.Lock()\ndef held(): return LOCK.locked()\n")
    tasks = load("""
        import threading
        from etl import lib
        LOCK, COUNT = threading.Lock(), {"n": 0}
        print("executed", __name__)

        @lg.task
        def counts():
            COUNT["n"] += 1
            return lib.held()

        @lg.task
        def locks():
            with LOCK:
                COUNT["n"] += 1
                return COUNT

        lg.pipeline("p", tasks=[counts, locks])
    """)
    assert tasks.code.left_out == [
        "locks: global LOCK cannot be pickled: TypeError: cannot pickle '_thread.lock' object"
    ]
    assert tasks["counts"]() is False
    assert capsys.readouterr().out == "executed etl.lib\n"
    assert tasks["locks"]() == {"n": 2}
    assert capsys.readouterr().out == "executed etl.nyc\n"


def test_a_module_that_is_gone_says_nothing_of_a_later_one(tmp_path):
    file = tmp_path / "lib.py"
    file.write_text("N = 1\n")
    for _ in range(100):  # a new object soon has the address of an old one
        module = StoredModule("lib")
        module.__file__ = str(file)
        assert module.N == 1
        del module


BAD = {
    "a lock in a closure": (
        "import threading\ndef make(lock):\n    return lg.task(lambda: lock, name='t')\n"
        "lg.pipeline('p', tasks=[make(threading.Lock())])",
        r"^etl/nyc\.py:5: task t: lock of its closure cannot be pickled: TypeError: cannot pickle "
        r"'_thread\.lock' object; and no module has",
    ),
    "too large": (
        "data = bytes(9 * 2**20)\nlg.pipeline('p', tasks=[lg.task(lambda: data, name='t')])",
        r"^etl/nyc\.py:4: task t: global data has more than 8,388,608 bytes; and no module",
    ),
    "an argument": (
        "from functools import partial\nimport sys\n"
        "lg.pipeline('p', tasks=[lg.task(partial(lambda x: x, x=sys.stdin.buffer), name='t')])",
        r"^etl/nyc\.py:5: task t: argument x of the partial cannot be pickled: TypeError",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_what_can_be_kept_in_no_way_is_refused_with_its_culprit(read, case):
    text, says = BAD[case]
    with pytest.raises(DefinitionError, match=says) as error:
        read(text)
    assert "\n" not in str(error.value)


def test_places_in_the_project_lead_into_the_archive_and_others_where_they_led(load, root):
    tasks = load(f"""
        from pathlib import Path
        HERE = Path(__file__).parent
        DATA = HERE.parent / "data.csv"

        @lg.task
        def places(): return __file__, str(HERE), str(DATA), {str(root / "etl/nyc.py")!r}

        lg.pipeline("p", tasks=[places])
    """)
    assert tasks["places"]() == (
        str(tasks.folder / "etl/nyc.py"),
        str(tasks.folder / "etl"),
        str(root / "data.csv"),
        str(root / "etl/nyc.py"),
    )


def test_a_traceback_shows_the_archived_line_after_the_file_was_edited(load, write):
    tasks = load("""
        def make(divisor):
            @lg.task
            def divide(): return 1 / divisor
            return divide

        lg.pipeline("p", tasks=[make(0)])
    """)
    write("etl/nyc.py", "# edited\n" * 9)
    with pytest.raises(ZeroDivisionError) as error:
        tasks["divide"]()
    shown = "".join(traceback.format_exception(error.value))
    where = f'{tasks.folder}/etl/nyc.py", line '
    assert re.search(re.escape(where) + r"\d, in divide\n +def divide\(\): return 1 / ", shown)
    assert inspect.getsource(tasks["divide"]).startswith("    @lg.task\n    def divide()")


def test_the_same_file_gives_the_same_bytes(read, library):
    library("N = 100\ndef add(x): return x + N\n")
    (first,), (second,) = read(KINDS), read(KINDS)
    assert first.code == second.code


def test_a_function_for_another_python_is_found_by_name_or_its_python_is_named(
    load, library, monkeypatch
):
    library("N = 100\ndef add(x): return x + N\n")
    tasks = load(KINDS)
    monkeypatch.setattr("lineagegraph.model.pipelines.task_code.this_python", lambda: "cpython-399")
    assert tasks["decorated"](month=3) == 6
    with pytest.raises(DefinitionError, match=r"task load_x is kept by value for cpython-3\d\d,"):
        tasks["load_x"]


def test_installed_packages_and_their_tasks_go_by_reference(load, monkeypatch):
    tasks = load("""
        import json
        from collections import OrderedDict

        @lg.task
        def dump(): return json.dumps(OrderedDict(a=1)), json

        lg.pipeline("p", tasks=[dump])
    """)
    text, module = tasks["dump"]()
    assert text == '{"a": 1}'
    assert isinstance(module, ModuleType)
    assert module is sys.modules["json"]


def test_a_class_with_a_cached_property_is_kept_with_the_classes_that_it_extends(load, write):
    write(
        "etl/shapes.py",
        "from functools import cached_property\n"
        "class Shape:\n    pass\n"
        "class Square(Shape):\n"
        "    @cached_property\n    def area(self): return 4\n" + RAN,
    )
    loaded = load("""
        import lineagegraph as lg
        from etl import shapes

        @lg.task
        def measure():
            square = shapes.Square()
            return isinstance(square, shapes.Shape), square.area, vars(square)

        lg.pipeline("p", tasks=[measure])
    """)
    assert loaded["measure"]() == (True, 4, {"area": 4})
    assert not loaded.code.left_out
