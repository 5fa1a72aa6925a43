"""Files that one process imports in turn: each answer is that of a process of its own."""

import os
import py_compile
import random
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from textwrap import dedent

import msgspec
import psutil
import pytest

from lineagegraph.reading.importer import (
    Answer,
    ImportedFile,
    Importer,
    ImportRefused,
    ImportRequest,
)

HEAD = "import lineagegraph as lg\nfrom lineagegraph import on\n"
FILES = {
    "plain.py": """
        @lg.task
        def extract(day: str = ""): print(day)

        @lg.task(after=extract, retries=2, timeout="1h")
        def load(day: str = ""): return extract, lg.emit

        lg.pipeline("plain", tasks=[extract, load, lg.command("report", ["echo"], after=load)],
                    trigger=on.cron("0 2 * * *"))
        """,
    "zone.py": """
        lg.pipeline("zone", tasks=[lg.command("a", ["b"])],
                    trigger=on.cron("0 2 * * *", zone="Asia/Dubai"), start_date="2026-01-01")
        """,
    "zone_again.py": """
        lg.pipeline("again", tasks=[lg.command("a", ["b"])],
                    trigger=on.cron("0 3 * * *", zone="Asia/Dubai"))
        """,
    "linked_zone.py": """
        lg.batch("linked", tasks=[lg.command("a", ["b"])], schedule="0 2 * * *", zone="US/Eastern")
        """,
    "utc.py": """
        lg.pipeline("utc", tasks=[lg.command("a", ["b"])], trigger=on.cron("0 2 * * *", zone="UTC"))
        """,
    "months.py": """
        from datetime import UTC, date, datetime, timedelta
        START = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=1)
        tasks = [lg.command(f"m{n:02}", ["echo", str(n)]) for n in range(1, 13)]
        for before, task in zip(tasks, tasks[1:]):
            tasks.append(lg.group(f"g{task}"[:9] if False else f"g{len(tasks)}", tasks=[
                lg.command("a", ["b"])], after=task))
        lg.pipeline("months", tasks=tasks, params={"day": date, "n": 1, "x": lg.param(float)},
                    start_date=START, partition_by="day")
        """,
    "takes.py": """
        from typing import Optional
        LIMIT = {"most": [1, 2.5, "text of several words"], "of": ("a", None)}

        @lg.task
        def count() -> list[int]: return [LIMIT["most"][0]]

        @lg.task(takes={"rows": count.output, "more": count.output}, emits={"n": int})
        def show(rows: list[int], more: Optional[int], size=LIMIT): return count, PIPELINE, rows

        @lg.branch(after=show)
        def choose(): return "show"

        PIPELINE = lg.pipeline("takes", tasks=[count, show, choose,
                               lg.command("end", ["true"], after=choose)])
        lg.pipeline("outer", tasks=[PIPELINE.as_task(name="inner"), lg.sql("q", "select 1")],
                    trigger=on.success(PIPELINE) & on.dataset("n", "d").where(on.key("n") > 3))
        """,
    "variables.py": """
        lg.file(timeout="5m")
        for name in lg.variable("names", ["none"]):
            lg.pipeline(name, tasks=[lg.command("a", [lg.variable("word", "b")])])
        """,
    "jobs/run.sh": "true",
    "named.py": """
        lg.pipeline("named", tasks=[lg.command("a", ["sh", "jobs/run.sh"]),
                                    lg.spark_submit("b", "jobs/gone.py", args=["x"])])
        """,
    "bodies.py": """
        import json, os
        from pathlib import Path

        @lg.task
        def read(path: Path = "x", pattern="\\\\d"):
            from lib import NAME
            return json.loads(os.environ[NAME])

        lg.pipeline("bodies", tasks=[read])
        """,
    "lib.py": 'NAME = "A"',
    "warned.py": 'lg.pipeline("warned", tasks=[lg.command("a", ["\\d" * 3])])',
    "a/same.py": 'lg.pipeline("a.same", tasks=[lg.command("a", ["true"])])',
    "b/same.py": 'lg.pipeline("b.same", tasks=[lg.command("b", ["true"])])',
    "c/__init__.py": 'NAMES = ["c"]',
    "c/d/same.py": 'lg.pipeline("c.d.same", tasks=[lg.command("b", ["true"])])',
    "empty.py": "",
}
OTHERS = {
    "faulty.py": 'lg.pipeline("faulty", tasks=[])',
    "fails.py": "x = [1][1]",
    "invalid.py": "x = (",
    "lazy.py": 'lg.pipeline("lazy", tasks=[lg.sensor("file", path="/tmp/x")])',
    "library.py": 'import sqlite3\nlg.pipeline("library", tasks=[lg.command("a", ["true"])])',
    "opens.py": 'lg.pipeline("opens", tasks=[lg.command("a", [open(__file__).readline()])])',
    "imports.py": 'import lib\nlg.pipeline("imports", tasks=[lg.command("a", [lib.NAME])])',
    "clock.py": """
        from datetime import datetime
        lg.pipeline("clock", tasks=[lg.command("a", [str(datetime.now().year)])])
        """,
    "exits.py": "import os\nos._exit(3)",
    "forks.py": "import os\nos.fork()",
    "yaml.py": 'lg.pipeline("yaml", tasks=[lg.command("a", ["true"])])',
    "this.py": 'lg.pipeline("this", tasks=[lg.command("a", ["true"])])',
    "json.py": 'lg.pipeline("json", tasks=[lg.command("a", ["true"])])',
}


class Project:
    """A project whose files an importer reads."""

    def __init__(self, root: Path, importer: Importer) -> None:
        self.root = root
        self._importer = importer
        self._alone = 0

    def write(self, name: str, text: str) -> str:
        """Write a file."""
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text((HEAD if file.suffix == ".py" else "") + dedent(text))
        return name

    def ask(self, name: str, *, alone: bool = False, **more: object) -> Answer:
        """Import a file; alone in its process if that is asked for."""
        # A process is for one environment.
        self._alone += alone
        environment = dict(os.environ) | ({"ALONE": str(self._alone)} if alone else {})
        terms = {"zone": "UTC", "seconds": 20.0, "memory_bytes": 1_000_000_000} | more
        return self._importer.ask(
            msgspec.convert(
                {
                    "file": str(self.root / name),
                    "root": str(self.root),
                    "namespace": "default",
                    "archive_bytes": 10_000_000,
                    "environment": environment,
                    "variables": '{"names": ["one", "two"]}',
                }
                | terms,
                ImportRequest,
            )
        )

    def ask_kept(self, name: str) -> set[int]:
        """Import a harmless file, and return the process that waits for another one."""
        # It waits for a second, in which this process may get no time.
        for _ in range(10):
            assert isinstance(self.ask(name), ImportedFile)
            if kept := self.kept():
                return kept
        raise AssertionError(f"no process was kept after {name}")

    def kept(self) -> set[int]:
        """Return the processes that wait for another file."""
        server = self._importer._server
        assert server is not None
        (supervisor,) = psutil.Process(server.pid).children()
        return {one.pid for one in supervisor.children()}


@pytest.fixture(scope="module")
def importer() -> Iterator[Importer]:
    with Importer() as importer:
        yield importer


@pytest.fixture
def project(tmp_path: Path, importer: Importer) -> Project:
    (tmp_path / "lineagegraph.toml").touch()
    return Project(tmp_path, importer)


def fine(number: int) -> str:
    return f'lg.pipeline("p{number}", tasks=[lg.command("a", ["true"])])'


@pytest.mark.parametrize("zone", ["UTC", "Europe/Berlin"])
@pytest.mark.parametrize("seed", range(3))
def test_answers_are_those_of_processes_of_their_own(
    project: Project, zone: str, seed: int
) -> None:
    for name, text in (FILES | OTHERS).items():
        project.write(name, text)
    names = [name for name in (*FILES, *OTHERS) if name.endswith(".py")]
    random.Random(seed).shuffle(names)
    expected = {name: project.ask(name, alone=True, zone=zone) for name in names}
    assert all(isinstance(expected[name], ImportedFile) for name in FILES if name in expected)
    for name in names:
        found = project.ask(name, zone=zone)
        assert msgspec.msgpack.encode(found) == msgspec.msgpack.encode(expected[name]), name


def test_harmless_files_share_a_process_that_does_not_wait_for_ever(project: Project) -> None:
    for name, text in FILES.items():
        project.write(name, text)
    names = [name for name in FILES if name.endswith(".py")]
    shared = set()
    for one, other in [*pairwise(names)] * 5:
        if not {one, other} <= shared and project.ask_kept(one) & project.ask_kept(other):
            shared |= {one, other}
    assert shared == set(names)
    until = time.monotonic() + 20
    while project.kept():
        assert time.monotonic() < until
        time.sleep(0.05)


@pytest.mark.parametrize("name", OTHERS)
def test_no_process_is_kept_after_a_file_that_is_refused_or_may_touch_more(
    project: Project, name: str
) -> None:
    project.write("lib.py", FILES["lib.py"])
    project.write("before.py", fine(1))
    project.write(name, OTHERS[name])
    project.ask_kept("before.py")
    project.ask(name)
    assert not project.kept()


LOOPS = "for n in range(10**12): x = n"
FILLS = "x = list(range(10**12))"
GROWS = "x = [[m for m in range(10**6)] for n in range(10**6)]"
PRINTS = "x = " + "1 is 2, " * 20


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (LOOPS, "middle.py:3: takes more than 1.5 s to import"),
        (GROWS, "middle.py:3: takes more than 500,000,000 bytes of memory to import"),
        (FILLS, "middle.py:3: MemoryError"),
    ],
)
def test_a_harmless_file_that_exceeds_a_limit_is_refused_alone(
    project: Project, text: str, message: str
) -> None:
    project.write("before.py", fine(1))
    project.write("middle.py", text)
    project.write("after.py", fine(2))
    limits = {"seconds": 1.5 if text == LOOPS else 30.0, "memory_bytes": 500_000_000}
    assert isinstance(project.ask("before.py"), ImportedFile)
    began = time.monotonic()
    refused = project.ask("middle.py", **limits)
    assert isinstance(refused, ImportRefused)
    assert refused.message.startswith(message)
    assert time.monotonic() - began < 30
    assert isinstance(project.ask("after.py"), ImportedFile)


def test_a_process_that_has_grown_is_not_kept(project: Project) -> None:
    project.write("small.py", "x = list(range(10**3))")
    project.write("large.py", "x = len([n for n in range(3 * 10**6)])")
    project.ask_kept("small.py")
    assert isinstance(project.ask("large.py"), ImportedFile)
    assert not project.kept()


def test_warnings_of_one_file_are_not_the_last_output_of_another(project: Project) -> None:
    project.write("before.py", PRINTS)
    project.write("middle.py", "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)")
    project.ask_kept("before.py")
    refused = project.ask("middle.py")
    assert isinstance(refused, ImportRefused)
    assert refused.message == "middle.py: Python was killed by SIGKILL while it was imported"


def test_a_hostile_file_between_harmless_ones_leaves_no_trace(project: Project) -> None:
    hostile = """
        import builtins, os, sys
        os.environ["LEFT"] = sys.path[0] = "/nowhere"
        os.chdir("/")
        lg.task = lg.command = builtins.len = None
        for fd in range(3, 64):
            try: os.write(fd, b"+" * 9)
            except OSError: pass
        os.fork()
    """
    project.write("before.py", fine(1))
    project.write("middle.py", hostile)
    project.write("after.py", fine(2))
    project.ask("before.py")
    project.ask("middle.py")
    assert project.ask("after.py") == project.ask("after.py", alone=True)


def test_a_file_that_was_edited_is_not_imported_by_the_same_process(project: Project) -> None:
    before: set[int] = set()
    for number in range(20):
        project.write("one.py", fine(number + 10))
        answer = project.ask("one.py")
        assert isinstance(answer, ImportedFile)
        assert [one.pipeline.name for one in answer.stated] == [f"p{number + 10}"]
        now = project.kept()
        assert not before & now
        before = now


def test_a_source_that_is_a_link_is_imported_alone(project: Project) -> None:
    for number in range(2):
        project.write(f"target{number}.txt", HEAD + fine(number))
    for number in range(2):
        (project.root / "link.py").unlink(missing_ok=True)
        (project.root / "link.py").symlink_to(f"target{number}.txt")
        project.ask("link.py")
        assert not project.kept()


def test_a_harmless_source_hides_nothing_that_python_prefers_to_it(project: Project) -> None:
    for name in ("package.py", "byte.py", "folder/inner.py"):
        project.write(name, fine(1))
    project.write("package/__init__.py", "import os\nos.environ['LEFT'] = '1'")
    project.write("folder/__init__.py", "import os\nos.environ['LEFT'] = '1'")
    stale = project.root / "byte.py"
    py_compile.compile(str(stale), doraise=True)
    for name in ("package.py", "byte.py", "folder/inner.py"):
        project.write("before.py", fine(2))
        project.ask("before.py")
        assert project.ask(name) == project.ask(name, alone=True)
        project.ask("before.py")
        project.ask(name)
        assert not project.kept()


def test_a_process_is_for_one_project_and_environment(project: Project) -> None:
    project.write("one.py", fine(1))
    project.write("inner/two.py", fine(2))
    first = project.ask_kept("one.py")
    project.ask("inner/two.py", root=str(project.root / "inner"))
    second = project.kept()
    project.ask("inner/two.py", environment={"PATH": "/bin"})
    assert not first & second
    assert not first & project.kept()
    assert not second & project.kept()


def is_alive(pid: int) -> bool:
    with suppress(psutil.NoSuchProcess):
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    return False


def test_a_process_that_waits_ends_with_its_importer(tmp_path: Path) -> None:
    with Importer() as importer:
        project = Project(tmp_path, importer)
        project.write("one.py", fine(1))
        (kept,) = project.ask_kept("one.py")
    until = time.monotonic() + 20
    while is_alive(kept):
        assert time.monotonic() < until
        time.sleep(0.02)


def test_variables_of_one_file_are_not_inputs_of_another(project: Project) -> None:
    project.write("one.py", "x = lg.variable('names')")
    project.write("two.py", fine(1))
    assert project.ask("one.py").variables == {"names": ["one", "two"]}
    assert project.ask("two.py").variables == {}
    found = project.ask("one.py", variables='{"names": 3}')
    assert found.variables == {"names": 3}


def test_a_process_imports_a_hundred_files_at_most(project: Project) -> None:
    imported = Counter[int]()
    for number in range(205):
        project.write(f"f{number}.py", fine(number))
        assert isinstance(project.ask(f"f{number}.py"), ImportedFile)
        imported.update(project.kept())
    assert max(imported.values()) <= 100
