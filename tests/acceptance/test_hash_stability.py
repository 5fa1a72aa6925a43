"""One definition has one version: over checkouts, users, locales, hash seeds and Pythons."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.acceptance.other_python import OTHERS, ROOT, other_python

PROGRAM = """
import json, sys
from pathlib import Path
from lineagegraph.reading.parser import parse
found = parse(Path(sys.argv[1]), Path.cwd(), 60.0)
versions = {one.version.pipeline.name: one.version for one in found}
print(json.dumps({name: [v.structure_hash, v.code_hash, v.hash] for name, v in versions.items()}))
"""
LIBRARY = """
import enum
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).parent

class Color(enum.Enum):
    RED = "red"

@dataclass
class Client:
    name: str
    tags: set = field(default_factory=lambda: {"zoë", "Äpfel", "ab", "b"})

class Loader:
    def __init__(self, client): self.client, self.lock = client, object()
    def run(self, month): return self.client
"""
DEFINITION = """
import datetime, decimal, functools, os, re
import lineagegraph as lg
from lineagegraph import on
from etl import lib

NAMES = list({"größe", "alpha", "beta", "Gamma"})

def make(client, **more):
    @lg.task(name=f"load_{client.name}")
    def load(month, day=datetime.date(2024, 1, 1), *, rate=decimal.Decimal("0.10")):
        return client, more, f"{client.name!r} {month:>{day.day}}", [x for x in more]
    return load

def whole(client, month, places): ...

inner = lg.pipeline("inner", tasks=[lg.command(n, ["echo", n, "{x}"]) for n in NAMES],
                    params=dict.fromkeys({"x", "y", "z"}, 1))
tasks = [make(lib.Client(name), red=lib.Color.RED, names=set(NAMES), by=re.compile("a|b"),
              nested={"b": {2, 1}, "a": (None, 1.5, b"x")}) for name in NAMES]
last = lg.task(functools.partial(whole, lib.Client("q"), places={lib.HERE, os.getcwd()}),
               name="partial", after=set(tasks))
lg.pipeline("p", tasks=[*tasks, last, lg.task(lib.Loader({"b", "a"}).run), inner,
                        lg.task(lambda month: month, name="lambda")],
            params={"month": 1}, spark={name: "x" for name in set(NAMES)},
            trigger=on.success("q") & on.dataset("file", "/data") & on.cron("0 2 * * *"))
"""


def checkout(
    folder: Path, ending: str = "\n", start: bytes = b"", *, reverse: bool = False
) -> Path:
    files = {
        "lineagegraph.toml": "",
        "etl/__init__.py": "",
        "etl/lib.py": LIBRARY,
        "etl/nyc.py": DEFINITION,
    }
    for name, text in sorted(files.items(), reverse=reverse):
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes((start if text else b"") + text.replace("\n", ending).encode())
    return folder


def hashes(python: Path, project: Path, **environment: str) -> dict[str, list[str]]:
    done = subprocess.run(
        [str(python), "-c", PROGRAM, "etl/nyc.py"],
        cwd=project,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)} | environment,
        check=False,
        capture_output=True,
    )
    assert done.returncode == 0, done.stderr.decode()
    found: dict[str, list[str]] = json.loads(done.stdout)
    return found


@pytest.fixture
def first(tmp_path: Path) -> dict[str, list[str]]:
    here = {"LANG": "C", "HOME": "/", "USER": "a", "TZ": "UTC", "PYTHONHASHSEED": "1"}
    return hashes(Path(sys.executable), checkout(tmp_path / "one"), **here)


def test_another_checkout_user_locale_hash_seed_file_order_and_line_ending_change_nothing(
    first: dict[str, list[str]], tmp_path: Path
) -> None:
    other = checkout(tmp_path / "deep/down/two", "\r\n", b"\xef\xbb\xbf", reverse=True)
    there = {"LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "HOME": str(tmp_path), "USER": "b"}
    there |= {"TZ": "Asia/Dubai", "PYTHONHASHSEED": "2", "PYTHONUTF8": "1"}
    assert hashes(Path(sys.executable), other, **there) == first
    assert first.keys() == {"p", "inner"}


@pytest.mark.parametrize("version", OTHERS)
def test_another_python_changes_nothing(
    first: dict[str, list[str]], tmp_path: Path, version: str
) -> None:
    other = checkout(tmp_path / "three", "\r", reverse=True)
    assert hashes(other_python(version), other, PYTHONHASHSEED="3", HOME="/") == first
