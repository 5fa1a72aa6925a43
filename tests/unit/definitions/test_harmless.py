"""Which sources may be imported by a process that imports others."""

from functools import reduce
from importlib import import_module
from textwrap import dedent

import pytest

from lineagegraph.reading.harmless import CALLS, is_harmless

HEAD = "import lineagegraph as lg\nfrom lineagegraph import on\n"
TASK = "@lg.task\ndef f(day: str = ''): print(day)\n"

HARMLESS = [
    "",
    "'A text.'\n" + TASK + "lg.pipeline('p', tasks=[f], trigger=on.cron('0 2 * * *'))",
    """
    tasks = [lg.command(f"m{n:02}", ["echo", str(n)]) for n in range(1, 13)]
    lg.pipeline("p", tasks=tasks)
    """,
    """
    tasks = []
    for n in range(3):
        tasks.append(lg.command(f"m{n}", ["true"], after=tasks[-1:]))
    """,
    """
    import os, json
    from pathlib import Path
    def f(path: Path | None): return json.load(open(path)), os.environ
    """,
    """
    from datetime import UTC, datetime, timedelta
    START = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=1)
    """,
    """
    from datetime import date
    params = {"day": date, "n": 1, "x": lg.param(int)}
    lg.pipeline("p", tasks=[lg.command("a", ["b"])], params=params)
    """,
    """
    rows = on.dataset("n", "d").where(on.key("n") > 3)
    when = on.success("a") & ~on.killed("b") | rows.within("6h")
    """,
    """
    if __name__ == "__main__":
        lg.run("p")
    """,
    """
    from typing import TYPE_CHECKING, Any
    if TYPE_CHECKING:
        import pandas
    def f(x: Any, *rest: int, y: "Frame" = 3, **more: str) -> list[int] | None: ...
    """,
    """
    from __future__ import annotations
    from lineagegraph import pipeline, task, emit
    @task(name="x", retries=2)
    async def f(): emit(rows=1)
    """,
    """
    NAMES: dict[str, int] = {"a": 1}
    for name, size in NAMES.items():
        if size > 1 and name.upper() != "A": continue
    """,
    TASK + "@lg.task(takes={'rows': f.output})\ndef g(rows: list[int]): ...\n",
    "lg.file(timeout='5m')\nN = lg.variable('n', 3)\n",
]
HARMFUL = [
    # what is not a module of Python's, or not loaded
    "import pandas",
    "import antigravity",
    "import lineagegraph.cli",
    "from lineagegraph.authoring import declared",
    "from etl import lib",
    "from . import lib",
    "from lineagegraph import *",
    "from os import *",
    # what else a module has
    "import os\nos.environ['A'] = '1'",
    "import os\nos.environ.update(A='1')",
    "from os import environ\nenviron.copy()",
    "from os import environ\nx = environ['HOME']",
    "from os import environ\ndef f(x: environ['HOME']): ...",
    "import sys\nsys.path.append('/tmp')",
    "from sys import path\npath.append('/tmp')",
    "from sys import path\nfor x in path: pass",
    "from sys import modules as m\nm |= {}",
    "import json\njson.loads('1')",
    "import datetime\ndatetime.sys.exit()",
    "import datetime\nx = datetime",
    "import datetime\ndatetime.datetime.now()",
    "lg.os.environ.update(A='1')",
    "lg.run('p')",
    "lg.connect()",
    "lg.sensor('file', path='x')",
    "lg.authoring.declared.declared().pipelines.append(1)",
    "from lineagegraph import run\nrun('p')",
    "x = lg",
    "x = on.cron",
    "x = [lg.task]",
    "lg.task.__globals__['os'].abort()",
    "on.__dict__.copy()",
    "on.__dict__['cron'] = 1",
    "lg.__setattr__('task', 1)",
    # a name that means something else
    "lg = 1",
    "on: int = 1",
    "for lg in (): pass",
    "x = [1 for on in ()]",
    "def on(): ...",
    "import json as lg",
    "x = [exec]\nexec = 1",
    "def print(): ...",
    "from json import loads as len",
    "if 0:\n    list = 1\nx = list(range(3))",
    "__name__ = 'json'",
    "__builtins__ = {}",
    "def __getattr__(name): ...",
    "from os import environ as __path__",
    # what runs something
    TASK + "f()",
    TASK + "x = f.function()",
    TASK + "[f][0]()",
    TASK + "x = f'{f()}'",
    TASK + "x = f'{1:{f()}}'",
    TASK + "x = sorted([1], key=f)",
    TASK + "x = max([1], **{'key': f})",
    TASK + "x = list(map(f, [1]))",
    TASK + "x = [f() for n in range(1)]",
    TASK + "x = [1 for n in range(1) if f()]",
    TASK + "x = {1: 2 for n in f()}",
    TASK + "x = lg.command('a', ['b'], after=f())",
    TASK + "x = lg.command('a', ['b'], **f())",
    TASK + "x = lg.command(*f())",
    TASK + "assert f()",
    TASK + "@f\ndef g(): ...",
    TASK + "lg.task(f)()",
    TASK + "(lg.task or f)(f)",
    "@lg.task(name=open('x'))\ndef f(): ...",
    "@print\ndef f(): ...",
    "@lg.pipeline\ndef f(): ...",
    "def f(x=print(1)): ...",
    "def f(*, x=print(1)): ...",
    "def f(x: print(1)): ...",
    "def f(*x: print(1)): ...",
    "def f(x: 'print(1)'): ...",
    "def f(x: list['print(1)']): ...",
    "def f(x: 'lg.os'): ...",
    "def f() -> print(1): ...",
    "x: print(1) = 2",
    "x = lambda: 1",
    "x = (lambda: 1)()",
    "print('x')",
    "open('x')",
    "exec('1')",
    "__import__('os')",
    "x = getattr(lg, 'run')",
    "x = type('T', (), {})",
    "class T: ...",
    "x = '{0.run}'.format(on.cron('0 2 * * *'))",
    "x = (1 for n in ()).gi_frame.f_builtins",
    TASK + "x = f.__call__.__globals__",
    # what changes something
    "x = [1]\nx[0] = 2",
    "x = on.cron('0 2 * * *')\nx.cron = 2",
    "x, y.z = 1, 2",
    "x = y.z = 1",
    "for x.y in (): pass",
    "x = 1\ndel x",
    "global x",
    # what is too much to judge
    "while True: pass",
    "try:\n    pass\nfinally:\n    pass",
    "with lg.file(): pass",
    "match 1:\n    case _: pass",
    "raise ValueError",
    "(x := 1)",
    "x = {1, 2}",
    "x = {n for n in ()}",
    "x = set([1])",
    "if 1:\n    import pandas",
    "if 1: pass\nelif open('x'): pass",
    "if 1: pass\nelse: open('x')",
    "if __name__ != '__main__':\n    open('x')",
    "if __name__ == '__main__': pass\nelse: open('x')",
    "for n in range(3): open('x')",
    "for n in (): pass\nelse: open('x')",
    "x = (",
    "x = '\0'",
    "x = " + "(" * 5_000 + ")" * 5_000,
    "x = " + "+".join(["1"] * 50_000),
    "x = " + "-" * 3_000 + "1",
]


@pytest.mark.parametrize("text", HARMLESS)
def test_a_source_that_only_states_definitions_is_harmless(text: str) -> None:
    assert is_harmless((HEAD + dedent(text)).encode())


@pytest.mark.parametrize("text", HARMFUL)
def test_a_source_that_may_touch_more_is_not_harmless(text: str) -> None:
    assert not is_harmless((HEAD + text).encode())


def test_what_harmless_sources_may_call_is_there() -> None:
    for name in CALLS:
        module, *parts = name.split(".")
        assert callable(reduce(getattr, parts, import_module(module)))
