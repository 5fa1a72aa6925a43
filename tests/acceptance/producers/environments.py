"""Environments for producers that cannot share ours, made once per set of requirements."""

import fcntl
import hashlib
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lineagegraph.settings import Settings

HERE = Path(__file__).parent


def programs_of(producer: str) -> Path:
    """Return the folder of a producer's programs; the first call installs what it needs."""
    lock = HERE / producer / "requirements.lock"
    version = f"{sys.version_info[0]}.{sys.version_info[1]}"
    name = f"{producer}-{version}-{hashlib.sha256(lock.read_bytes()).hexdigest()[:16]}"
    folder = Settings().cache.absolute() / "producers" / name
    with alone(folder.with_suffix(".mutex")):
        if not (folder / "complete").exists():
            shutil.rmtree(folder, ignore_errors=True)
            _install(lock, folder)
            (folder / "complete").touch()
    return folder / "bin"


def _install(lock: Path, folder: Path) -> None:
    uv = [sys.executable, "-m", "uv", "--quiet"]
    subprocess.run([*uv, "venv", "--python", sys.executable, str(folder)], check=True)
    into = ["--python", str(folder / "bin" / "python")]
    subprocess.run([*uv, "pip", "install", *into, "--require-hashes", "-r", str(lock)], check=True)


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Let one process at a time in, by a lock on a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
