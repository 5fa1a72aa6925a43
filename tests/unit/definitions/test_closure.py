"""The code hash of a pipeline: what changes it, and what does not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lineagegraph.code.closure import Closures, CodeHash
from lineagegraph.model.pipelines.definition import OWN_CLOSURE, Pipeline

HEAD = "import lineagegraph as lg\nfrom lineagegraph import on\n"
OWN = """
@lg.task
def load(month):
    return 1

lg.pipeline("p", tasks=[load])
"""
OTHER = """
def helper():
    return 1

@lg.task(after=["load"], retries=2)
def other(month: int = 1):
    return helper()

second = lg.command("second", ["echo", "1"], after=other)
lg.pipeline("q", tasks=[other, second], trigger=on.cron("0 1 * * *") | on.success("x"))
"""


def hashed(text: str, **modules: str) -> CodeHash:
    files = {f"{name}.py": code.encode() for name, code in modules.items()}
    text = HEAD + text
    line = text[: text.index('"p"')].count("\n") + 1
    closures = Closures({"nyc.py": text.encode(), **files}, ["nyc.py", *files])
    return closures.hash(Pipeline(name="p", namespace="n", tasks=()), "nyc.py", line, frozenset())


def test_edits_of_another_pipeline_change_nothing():
    first = hashed(OWN + OTHER)
    assert first.covers == OWN_CLOSURE
    for old, new in (
        ("return 1\n\n@lg.task(a", "return 2\n\n@lg.task(a"),
        ("return helper()", "return helper() + 1"),
        ("retries=2", "retries=3"),
        ('"echo", "1"', '"echo", "2"'),
        ("0 1 *", "0 2 *"),
        ("def helper", "# a comment\ndef helper"),
    ):
        edited = (OWN + OTHER).replace(old, new)
        assert edited != OWN + OTHER
        assert hashed(edited) == first
    assert hashed(OTHER + OWN) == first
    assert hashed(OWN) == first


def test_edits_of_its_own_function_and_of_all_other_statements_count():
    first = hashed(OWN + OTHER)
    assert hashed(OWN.replace("return 1", "return 2") + OTHER) != first
    assert hashed(OWN.replace("return 1", "return 1  # a comment") + OTHER) != first
    for more in ("X = 1", "print()", "import os", "if True:\n    pass", "lg.file(timeout=5)"):
        assert hashed(OWN + OTHER + more + "\n") != first


CALLS = {
    "by name": "return helper()",
    "by an attribute": "return nyc.helper()",
    "by a constant name": 'return getattr(nyc, "helper")()',
    "by an escaped name": 'return getattr(nyc, "\\x68elper")()',
    "by joined texts": 'return getattr(nyc, "hel" "per")()',
    "by another normal form": "return ｈelper()",
    "in a format": 'return f"{helper()}"',
    "by a keyword": "return dict(helper=1)",
    "in a comment": "return 1  # helper",
    "by another function": "return between()",
    "by globals": "return globals()[month]",
    "by vars": "return vars(nyc)[month]",
    "by a computed attribute": "return getattr(nyc, month)",
    "by an alias of getattr": "return map(getattr, [nyc], [month])",
    "by eval": "return eval(month)",
    "by exec": "exec(month)",
    "by __dict__": "return nyc.__dict__[month]",
    "by the constant __dict__": 'return getattr(nyc, "__dict__")[month]',
    "by a function's globals": "return load.__globals__[month]",
    "by sys.modules": "return sys.modules[month]",
    "by an imported sys.modules": "from sys import modules as m\n    return m[month]",
    "by a computed module": "return importlib.import_module(month)",
    "by inspect": "import inspect\n    return inspect.getsource(month)",
    "by builtins": "from builtins import eval as e\n    return e(month)",
    "by attrgetter": "from operator import attrgetter as a\n    return a(month)(nyc)",
    "by its own file": "return open(__file__).read()",
    "by its file's name": 'return open("nyc.py").read()',
    "by a frame": "return sys._getframe().f_globals",
    "by pickle": "import pickle\n    return pickle.loads(month)",
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_function_that_its_task_may_reach_counts(call):
    text = OWN.replace("return 1", call) + OTHER + "\ndef between():\n    return helper()\n"
    edited = text.replace("def helper():\n    return 1", "def helper():\n    return 2")
    assert edited != text
    assert hashed(edited).hash != hashed(text).hash


EFFECTS = {
    "an unknown decorator": "@register\ndef h():\n    return 1\n",
    "a name that hides the package": "lg = fake\n@lg.task\ndef h():\n    return 1\n",
    "a replaced decorator": "lg.task = fake\n@lg.task\ndef h():\n    return 1\n",
    "a default": "def h(x=register(1)):\n    pass\n",
    "an annotation": "def h(x: register(1)):\n    pass\n",
    "a base class": "class H(Base):\n    x = 1\n",
    "a metaclass": "class H(metaclass=Meta):\n    x = 1\n",
    "a class body": "class H:\n    x = register(1)\n",
    "a decorated method": "class H:\n    @register\n    def x(self): return 1\n",
    "a conditional definition": "if True:\n    def h(): return 1\n",
    "a try": "try:\n    import x1\nexcept ImportError:\n    x1 = 1\n",
    "an argument of a pipeline": 'lg.pipeline("q", tasks=[register(1)])\n',
    "an operator of a pipeline": 'lg.pipeline("q", tasks=[a], trigger=a | b | 1)\n',
    "an iterator": 'it = iter([1])\nlg.pipeline("q", tasks=it)\nlg.pipeline("r", tasks=it)\n',
    "a comprehension": 'lg.pipeline("q", tasks=[one(1) for one in some])\n',
    "a walrus": 'lg.pipeline("q", tasks=(x := [1]))\n',
    "a shared line": 'lg.pipeline("q", tasks=[]); x = 1\n',
    "a module's __getattr__": "def __getattr__(name):\n    return 1\n",
    "a mangled name": "def _C__x():\n    return 1\n",
}


@pytest.mark.parametrize("effect", EFFECTS.values(), ids=EFFECTS)
def test_a_statement_with_an_effect_counts(effect):
    edited = effect.replace("1", "2")
    assert edited != effect
    assert hashed(OWN + edited) != hashed(OWN + effect)
    assert hashed(edited + OWN) != hashed(effect + OWN)


def test_the_reason_for_whole_files_is_stated():
    found = hashed(OWN.replace("return 1", "return eval(month)"))
    assert found.covers == "whole files, because nyc.py:6 uses eval"
    assert "names nyc.py" in hashed(OWN.replace("return 1", 'open("nyc.py")')).covers
    assert "parsed" in hashed(OWN, broken="def").covers


LIBRARY = "def one():\n    return 1\n\ndef two():\n    return one()\n\ndef three():\n    return 3\n"


@pytest.mark.parametrize(
    ("imported", "call"),
    [
        ("from lib import two, three", "two()"),
        ("from lib import two as x, three as y", "x()"),
        ("from lib import *", "two()"),
        ("import lib", "lib.two()"),
        ("import lib as x", "x.two()"),
        ("import etl.lib", "etl.lib.two()"),
    ],
)
def test_functions_of_other_modules_count_if_they_are_reached(imported, call):
    text = imported + OWN.replace("return 1", f"return {call}")
    first = hashed(text, lib=LIBRARY)
    assert first.covers == OWN_CLOSURE
    assert hashed(text, lib=LIBRARY.replace("return 1", "return 2")) != first
    assert hashed(text, lib=LIBRARY.replace("one()", "one() + 1")) != first
    assert hashed(text, lib=LIBRARY.replace("return 3", "return 4")) == first
    assert hashed(text, lib=LIBRARY + "X = 1\n") != first


NAMES = "abcd"
BODIES = st.fixed_dictionaries(
    {name: st.tuples(st.integers(0, 3), st.sets(st.sampled_from(NAMES))) for name in NAMES}
)
LATER = {name: set(NAMES[number + 1 :]) for number, name in enumerate(NAMES)}


def module(bodies: dict[str, tuple[int, set[str]]], constant: int) -> str:
    functions = [
        f"def f_{name}():\n    return ({number}, X, "
        f"{''.join(f'{o!r}, f_{o}(), ' for o in sorted(calls & LATER[name]))})\n"
        for name, (number, calls) in bodies.items()
    ]
    stated = 'lg.pipeline("p", tasks=[lg.task(f_a)])\nlg.pipeline("q", tasks=[lg.task(f_b)])\n'
    return f"X = {constant}\n" + "".join(functions) + stated


def result(text: str) -> object:
    names: dict[str, object] = {}
    exec(text.partition("lg.pipeline")[0], names)
    function = names["f_a"]
    assert callable(function)
    return function()


@given(BODIES, BODIES, st.integers(0, 1), st.integers(0, 1))
def test_versions_that_return_something_else_have_another_hash(old, new, before, after):
    one, other = module(old, before), module(new, after)
    assert (hashed(one) == hashed(other)) == (result(one) == result(other))
