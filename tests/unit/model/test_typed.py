"""Types are first used by several threads at a time."""

import ast
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]

MANY = """
import sys
from threading import Barrier, Thread

import msgspec

from lineagegraph.model.typed import decode_json

sys.setswitchinterval(1e-6)
for number in range(100):
    fields = [(f"f{i}", "int | None", None) for i in range(20)]
    inner = msgspec.defstruct("Inner", fields, namespace={"__module__": __name__})
    Inner = inner
    outer = msgspec.defstruct("Outer", [(f"g{i}", "list[Inner]", ()) for i in range(20)],
                              namespace={"__module__": __name__})
    begin = Barrier(8)

    def work():
        begin.wait()
        assert decode_json(b'{"g0": [{"f19": 1}]}', into=outer).g0[0].f19 == 1

    threads = [Thread(target=work) for _ in range(8)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
"""


def test_a_type_that_many_threads_use_first_breaks_no_process() -> None:
    done = subprocess.run([sys.executable, "-c", MANY], check=False, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_no_other_module_has_msgspec_prepare_a_type() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in (ROOT / "lineagegraph").rglob("*.py")
        if path.name != "typed.py"
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and prepares(node)
    ]
    assert found == []


def prepares(call: ast.Call) -> bool:
    """Whether a call of msgspec prepares a type: a typed decode, a decoder, or a conversion."""
    name = ast.unparse(call.func)
    is_typed = len(call.args) > 1 or any(one.arg == "type" for one in call.keywords)
    is_decode = name in ("msgspec.json.decode", "msgspec.msgpack.decode") and is_typed
    is_decoder = name in ("msgspec.json.Decoder", "msgspec.msgpack.Decoder")
    return is_decode or is_decoder or name == "msgspec.convert"
