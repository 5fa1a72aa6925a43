"""The other Pythons that lineagegraph runs with, with what reading definitions needs."""

import hashlib
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from lineagegraph.settings import Settings
from tests.acceptance.producers.environments import alone

ROOT = Path(__file__).parents[2]
NEEDED = {"cloudpickle", "cronsim", "google-re2", "lazy-loader", "msgspec", "psutil", "structlog"}
# Settings, for the key that signs code.
NEEDED |= {"annotated-types", "platformdirs", "pydantic", "pydantic-core", "pydantic-settings"}
NEEDED |= {"python-dotenv", "typing-extensions", "typing-inspection"}
UV = [sys.executable, "-m", "uv", "--quiet"]


OTHERS = sorted({"3.11", "3.12", "3.13"} - {"{}.{}".format(*sys.version_info)})


def other_python(version: str) -> Path:
    """Return one of `OTHERS`; the first call makes its environment.

    Where there is none and none can be fetched, the test that asks says so and is not run.
    """
    lock = _lock()
    name = f"python-{version}-{hashlib.sha256(lock.encode()).hexdigest()[:16]}"
    folder = Settings().cache.absolute() / "pythons" / name
    with alone(folder.with_suffix(".mutex")):
        if not (folder / "complete").exists():
            shutil.rmtree(folder, ignore_errors=True)
            _make(folder, version, lock)
            (folder / "complete").touch()
    return folder / "bin" / "python"


def _make(folder: Path, version: str, lock: str) -> None:
    found = next(_installed(version), version)
    made = subprocess.run([*UV, "venv", "--python", str(found), str(folder)], check=False)
    if made.returncode:
        pytest.skip(f"not run: there is no Python {version} here, and uv cannot fetch one")
    (folder / "requirements.lock").write_text(lock)
    into = ["--python", str(folder / "bin" / "python"), "--no-deps", "--require-hashes"]
    listed = ["-r", str(folder / "requirements.lock")]
    subprocess.run([*UV, "pip", "install", *into, *listed], check=True)


def _installed(version: str) -> Iterator[Path]:
    """Yield interpreters that work: of a version manager's shims not all do."""
    program = f"python{version}"
    managed = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/{program}"))
    for path in (shutil.which(program), *managed):
        if path and _works(Path(path)):
            yield Path(path)


def _works(python: Path) -> bool:
    done = subprocess.run([str(python), "-c", ""], check=False, capture_output=True)
    return done.returncode == 0


def _lock() -> str:
    """Return the part of our lock that reading definitions needs."""
    blocks = re.split(r"\n(?=[a-z])", (ROOT / "requirements.lock").read_text())
    return "\n".join(block for block in blocks if block.partition("==")[0] in NEEDED) + "\n"
