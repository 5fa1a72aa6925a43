"""Types are first used by several threads at a time."""

import subprocess
import sys

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
