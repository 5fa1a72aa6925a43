"""Definition files read in a child process, good ones and bad ones."""

import py_compile
import re
import time
from pathlib import Path

import pytest

from lineagegraph.code.load import load_function
from lineagegraph.errors import DefinitionCycle, DefinitionError, InvalidParameter
from lineagegraph.project.archive import unpack
from lineagegraph.reading.importer import Importer, ImportRequest
from lineagegraph.reading.parser import Parsed, parse, parse_file
from lineagegraph.settings import load_settings

GOOD = """
print("noise" * 100_000)

@lg.task
def clean(month: int):
    from etl.late import add
    return add(month)

lg.pipeline("nyc.delays", tasks=[clean], params={"month": 1}, trigger=on.cron("0 2 * * *"))
"""


@pytest.fixture
def helper(root):
    (root / "etl").mkdir()
    (root / "etl/late.py").write_text("from . import more\ndef add(x): return x + more.N\n")
    (root / "etl/more.py").write_text("N = 100\n")
    (root / "etl/unused.py").write_text("import json\n")


def test_a_file_gives_a_version_and_the_files_that_it_needs(helper, read, root):
    (parsed,) = read(GOOD)
    version = parsed.version
    assert (version.file, version.root) == ("etl/nyc.py", str(root))
    assert version.pipeline.tasks[0].work.module == "etl.nyc"
    assert version.source_sha256 == parsed.source.sha256
    assert list(parsed.source.files) == ["etl/late.py", "etl/more.py", "etl/nyc.py"]
    assert parsed.line == 11


def test_a_function_is_loaded_from_the_archive_under_the_same_name(helper, read, tmp_path_factory):
    (parsed,) = read(GOOD)
    folder = tmp_path_factory.mktemp("code")
    unpack(parsed.source.content, folder)
    function = load_function(parsed.version.pipeline.tasks[0].work, folder)
    assert function(month=1) == 101
    assert function.__code__.co_filename == str(folder / "etl/nyc.py")


def test_reading_again_gives_the_same_version_and_leaves_nothing_behind(helper, read, root):
    first, second = read(GOOD), read(GOOD)
    assert first == second
    assert not list(root.rglob("__pycache__"))


def test_a_quick_edit_of_the_same_length_is_seen(helper, read):
    (first,) = read(GOOD)
    (second,) = read(GOOD.replace('"month": 1', '"month": 2'))
    assert second.version.pipeline.parameters[0].default == 2
    assert second.version.hash != first.version.hash


def test_a_changed_helper_changes_the_code_and_not_the_structure(helper, read, root):
    (first,) = read(GOOD)
    (root / "etl/more.py").write_text("N = 101\n")
    (second,) = read(GOOD)
    assert second.version.structure_hash == first.version.structure_hash
    assert second.version.code_hash != first.version.code_hash


def test_a_module_that_is_loaded_by_its_path_belongs_to_the_version(read, root):
    text = """
    from importlib.util import module_from_spec, spec_from_file_location

    spec = spec_from_file_location("steps", "steps" + ".py")
    steps = module_from_spec(spec)
    spec.loader.exec_module(steps)

    @lg.task
    def clean():
        return steps.one()

    lg.pipeline("nyc", tasks=[clean])
    """
    steps = root / "steps.py"
    steps.write_text("def one(): return 1\n\ndef two(): return 2\n")
    (first,) = read(text)
    assert "steps.py" in first.source.files
    steps.write_text("def one(): return 1\n\ndef two(): return 3\n")
    assert read(text)[0].version.hash == first.version.hash
    steps.write_text("def one(): return 2\n\ndef two(): return 3\n")
    py_compile.compile(str(steps))
    assert read(text)[0].version.hash != first.version.hash


def test_a_data_file_that_python_s_import_reads_belongs_to_the_version(read, root):
    data = root / "etl/rates.toml"
    text = """
    from pkgutil import get_data

    RATES = get_data("etl", "rates.toml")
    lg.pipeline("nyc", tasks=[lg.command("a", ["true"])])
    """
    data.parent.mkdir()
    (data.parent / "__init__.py").touch()
    data.write_text("eur = 1")
    (first,) = read(text)
    data.write_text("eur = 2")
    assert read(text)[0].version.hash != first.version.hash


def test_a_module_that_a_function_imports_by_a_constant_text_belongs_to_the_version(read, root):
    (root / "steps.py").write_text("X = 1")
    (first,) = read("""
    import importlib

    @lg.task
    def clean():
        return importlib.import_module("steps").X

    lg.pipeline("nyc", tasks=[clean])
    """)
    assert "steps.py" in first.source.files


def test_a_broken_module_that_is_loaded_by_its_path_is_an_input(write, root):
    (root / "steps.py").write_text("raise OSError")
    file = write(
        "nyc.py",
        """
        from importlib.util import module_from_spec, spec_from_file_location

        spec = spec_from_file_location("steps", "steps.py")
        spec.loader.exec_module(module_from_spec(spec))
        """,
    )
    with Importer() as importer:
        assert str(root / "steps.py") in ask(importer, file, root).inputs.files


def test_namespace_and_zone_come_from_the_installation(helper, write, root):
    file = write("etl/nyc.py", GOOD)
    (parsed,) = parse(file, root, 20.0, namespace="prod", zone="Asia/Dubai")
    assert parsed.version.pipeline.namespace == "prod"
    assert parsed.version.pipeline.triggers[0].when.zone == "Asia/Dubai"


def test_files_that_tasks_name_are_archived(read, root):
    (root / "jobs").mkdir()
    (root / "jobs/old.jar").write_bytes(b"\0\xff")
    (root / "jobs/run.sh").write_text("true\n")
    (parsed,) = read("""
        lg.pipeline("p", tasks=[
            lg.group("g", tasks=[lg.spark_submit("old", "jobs/old.jar", main="org.example.Main")]),
            lg.command("run", ["sh", "jobs/run.sh", "../../etc/passwd", "/etc/passwd"]),
        ])
    """)
    assert list(parsed.source.files) == ["etl/nyc.py", "jobs/old.jar", "jobs/run.sh"]


def test_a_pipeline_that_is_imported_belongs_to_its_own_file(read, write):
    write("etl/other.py", 'load = lg.pipeline("load", tasks=[lg.command("a", ["true"])])')
    write(
        "etl/factory.py",
        'def make(name): return lg.pipeline(name, tasks=[lg.command("a", ["true"])])',
    )
    parsed = read("""
        from etl.other import load
        from etl.factory import make
        lg.pipeline("outer", tasks=[load])
        make("made")
    """)
    assert [one.version.pipeline.name for one in parsed] == ["outer", "made"]


def test_a_file_without_a_pipeline_gives_none(read):
    assert read("x = 1") == []


def test_a_thread_left_behind_does_not_hold_up_the_answer(read):
    began = time.monotonic()
    read("""
        import threading, time
        threading.Thread(target=time.sleep, args=(60,)).start()
        lg.pipeline("p", tasks=[lg.command("a", ["true"])])
    """)
    assert time.monotonic() - began < 15


def test_a_project_file_named_like_a_module_of_python_disturbs_nothing(read, root):
    (root / "json.py").write_text("raise RuntimeError('mine')\n")
    assert len(read('lg.pipeline("p", tasks=[lg.command("a", ["true"])])')) == 1


BAD = {
    "does not parse": ("x = (", r"^etl/nyc\.py:3: syntax error: '\(' was never closed$"),
    "import": ("import no_such_module", r"^etl/nyc\.py:3: ModuleNotFoundError: No module named"),
    "raises": ("def f():\n    1 / 0\nf()", r"^etl/nyc\.py:4: ZeroDivisionError: division by zero$"),
    "in a library": ("import json\njson.loads('')", r"^etl/nyc\.py:4: JSONDecodeError: Expecting"),
    "two lines": ("raise ValueError('a\\nb')", r"^etl/nyc\.py:3: ValueError: a b$"),
    "sys.exit": ("import sys; sys.exit(3)", r"^etl/nyc\.py:3: .*sys\.exit\(3\)"),
    "os._exit": (
        "import os; print('bye', flush=True); os._exit(0)",
        r"^etl/nyc\.py:3: Python ended with exit status 0 \(os\._exit\) while it was imported$",
    ),
    "segfault": (
        "import ctypes; ctypes.string_at(0)",
        r"^etl/nyc\.py:3: Python was killed by SIGSEGV",
    ),
    "file cut below its map": (
        "import mmap, tempfile\nf = tempfile.TemporaryFile()\nf.truncate(8192)\n"
        "m = mmap.mmap(f.fileno(), 8192)\nf.truncate(0)\nm[0]",
        r"^etl/nyc\.py:8: Python was killed by SIGBUS",
    ),
    "alarm": (
        "import signal, time\nsignal.setitimer(signal.ITIMER_REAL, 0.05)\ntime.sleep(9)",
        r"^etl/nyc\.py:5: Python was killed by SIGALRM",
    ),
    "killed": (
        "import os\nprint('bye', flush=True)\nos.kill(os.getpid(), 9)",
        r"^etl/nyc\.py: Python was killed by SIGKILL .*\(its last output: bye\)$",
    ),
    "forks": (
        "import os\nos.fork()\nlg.pipeline('p', tasks=[lg.command('a', ['x'])])",
        r"^etl/nyc\.py:4: the file forks Python when it is imported: start processes in a task$",
    ),
    "forks through libc": (
        "import ctypes\nctypes.CDLL(None).fork()\n1 / 0",
        r"^etl/nyc\.py:5: ZeroDivisionError",
    ),
    "prints without end": (
        "while True: print('x' * 100_000)",
        r"^etl/nyc\.py:3: prints more than 16,777,216 bytes when it is imported: print in tasks$",
    ),
    "kills its supervisor": (
        "import os\nos.kill(os.getppid(), 9)",
        r"^etl/nyc\.py: the process that imports it was killed$",
    ),
    "reads input": ("input()", r"^etl/nyc\.py:3: EOFError"),
    "lambda": (
        "lg.pipeline('p', tasks=[lg.task(lambda: 1)])",
        r"^etl/nyc\.py:3: a callable without a name, such as a lambda, needs name=",
    ),
    "partial": (
        "import functools\nlg.task(functools.partial(print))",
        r"^etl/nyc\.py:4: functools\.partial\(<built-in function print>\) is not a plain function",
    ),
    "argument": (
        "@lg.task\ndef f(spark, year): ...\nlg.pipeline('p', tasks=[f], params={'month': 1})",
        r"^etl/nyc\.py:3: task f: argument 'year' is neither",
    ),
    "twice": (
        "for _ in range(2):\n    lg.pipeline('p', tasks=[lg.command('a', ['x'])])",
        r"^etl/nyc\.py:4: pipeline p is defined at etl/nyc\.py:4 as well: rename one$",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_a_bad_file_is_refused_in_one_line_that_names_it(read, case):
    text, says = BAD[case]
    with pytest.raises(DefinitionError, match=says) as error:
        read(text)
    assert "\n" not in str(error.value)


def test_a_cycle_stays_a_cycle_and_a_parameter_a_parameter(read):
    with pytest.raises(DefinitionCycle, match=r"^etl/nyc\.py:3: .*a -> a"):
        read('lg.pipeline("p", tasks=[lg.command("a", ["x"], after="a")])')
    with pytest.raises(InvalidParameter, match=r"^etl/nyc\.py:3: "):
        read('lg.pipeline("p", tasks=[], params={"x": lg.param(int, default="y")})')


def test_a_syntax_error_in_an_imported_module_names_that_module(read, root):
    (root / "broken.py").write_text("x = 1\nif\n")
    with pytest.raises(DefinitionError, match=r"^broken\.py:2: syntax error: invalid syntax$"):
        read("import broken")


def test_a_file_that_sleeps_is_killed_with_all_that_it_started(write, root):
    file = write(
        "nyc.py",
        """
        import subprocess, time
        child = subprocess.Popen(["sleep", "600"])
        open("pid", "w").write(str(child.pid))
        time.sleep(600)
        """,
    )
    began = time.monotonic()
    with pytest.raises(DefinitionError, match=r"^nyc\.py:7: takes more than 2 s to import"):
        parse(file, root, 2.0)
    assert time.monotonic() - began < 10
    assert not is_alive(int((root / "pid").read_text()))


def is_alive(pid: int) -> bool:
    """A zombie that its new parent has not collected yet is dead."""
    try:
        with open(f"/proc/{pid}/stat") as stat:  # noqa: PTH123
            return stat.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_what_a_file_leaves_behind_in_a_session_of_its_own_is_killed(read, root):
    read("""
        import subprocess
        child = subprocess.Popen(["sh", "-c", "setsid sleep 600 & echo $! > pid; wait"])
        while not open("pid", "a+").tell(): pass
    """)
    assert not is_alive(int((root / "pid").read_text()))


def test_memory_is_limited(write, root):
    file = write("nyc.py", "x = []\nwhile True:\n    x.append(bytearray(b'x') * 1_000_000)")
    with Importer() as importer:
        fault = ask(importer, file, root, 300_000_000).fault
    assert re.match(r"nyc\.py:5: takes more than 300,000,000 bytes of memory to import", fault)


def ending(how: str) -> str:
    return f"""
import os
import steps
os.listdir("days")
text = open("limits.json").read()
open("seen", "a+").write("x")
open("seen").read()
lg.variable("clients", default=[])
while text: {how}
"""


@pytest.mark.parametrize("how", ["pass", "os.kill(os.getpid(), 9)", "text += text", "os._exit(1)"])
def test_a_file_that_is_ended_is_read_again_once_an_input_changes(write, root, how):
    (root / "days").mkdir()
    (root / "limits.json").write_text("many")
    (root / "steps.py").touch()
    file = write("nyc.py", ending(how))
    with Importer() as importer:
        parsed = ask(importer, file, root, 300_000_000, seconds=1.5)
    assert parsed.fault
    names = {str(root / one) for one in ("nyc.py", "limits.json", "steps.py", "days")}
    assert names <= {*parsed.inputs.files, *parsed.inputs.folders}
    assert str(root / "seen") not in parsed.inputs.files
    assert parsed.variables == {"clients": None}


def test_a_name_that_is_not_unicode_is_read_again_once_it_is_changed(write, root):
    (root / "days").mkdir()
    file = write(
        "nyc.py",
        """
        import os
        days = os.listdir("days")
        lg.pipeline("p", tasks=[lg.command("a", [chr(0xDCE9)])])
        """,
    )
    with Importer() as importer:
        parsed = ask(importer, file, root)
    assert "not Unicode" in parsed.fault
    assert str(root / "days") in parsed.inputs.folders


def test_files_that_one_importer_reads_do_nothing_to_each_other(write, root):
    good = 'lg.pipeline("p", tasks=[lg.command("a", ["x"])], description=__import__("os").getcwd())'
    bad = {
        "killer.py": "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)\nx = [1] * 10**9",
        "mover.py": "import os, sys\nos.chdir('/')\nsys.modules['etl.good'] = sys\n1 / 0",
        "patcher.py": "import lineagegraph.authoring.pipelines as p\np.pipeline = None\n1 / 0",
        "leaver.py": "import os\nos.system('setsid sleep 600 & echo $! > pid')\n1 / 0",
    }
    with Importer() as importer:
        for name, text in bad.items():
            assert ask(importer, write(name, text), root).fault
            (stated,) = ask(importer, write("etl/good.py", good), root).pipelines
            assert stated.version.pipeline.description == str(root)
    assert not is_alive(int((root / "pid").read_text()))


def ask(
    importer: Importer,
    file: Path,
    root: Path,
    memory_bytes: int = 2_000_000_000,
    seconds: float = 30.0,
) -> Parsed:
    """Have a file read by an importer that reads others, too."""
    request = ImportRequest(
        file=str(file),
        root=str(root),
        namespace="default",
        zone="UTC",
        seconds=seconds,
        memory_bytes=memory_bytes,
        archive_bytes=1_000_000,
        environment={},
    )
    return parse_file(importer, request)


def test_a_file_may_ask_for_more_time_and_say_so_only_plainly(write, root):
    slow = "import time\nlg.file(timeout='1m')\ntime.sleep(1.5)\nx = 1"
    assert parse(write("slow.py", slow), root, 1.0) == []
    hidden = "def late(): lg.file(timeout='1m')\nlate()"
    with pytest.raises(DefinitionError, match=r"^late\.py:3: lg\.file\(…\) is parsed before"):
        parse(write("late.py", hidden), root, 20.0)


def test_a_name_taken_by_another_module_is_said(write, root):
    file = write("json.py", 'lg.pipeline("p", tasks=[lg.command("a", ["x"])])')
    with pytest.raises(DefinitionError, match=r"^json\.py: module name json is taken by .*rename"):
        parse(file, root, 20.0)


def test_a_file_name_that_cannot_be_imported_is_said(write, root):
    file = write("a.b.py", "x = 1")
    with pytest.raises(DefinitionError, match=r"^a\.b\.py: cannot be imported"):
        parse(file, root, 20.0)


def test_only_stated_variables_of_the_caller_are_there(read, monkeypatch):
    monkeypatch.setenv("MY_NAME", "from outside")
    text = 'import os\nlg.pipeline(os.environ["MY_NAME"], tasks=[lg.command("a", ["x"])])'
    with pytest.raises(DefinitionError, match="KeyError: 'MY_NAME'"):
        read(text)
    load_settings.cache_clear()
    monkeypatch.setenv("LINEAGEGRAPH_PASS_ENVIRONMENT", '["MY_NAME"]')
    (parsed,) = read(text)
    assert parsed.version.pipeline.name == "from outside"
