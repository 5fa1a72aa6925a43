"""Releases of Spark beside the one of the lock file, in the user's cache."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from lineagegraph.settings import Settings
from tests.acceptance.producers.environments import alone


def pyspark_of(release: str) -> Path:
    """Return the folder that has a release's `pyspark`; the first call fetches it."""
    folder = Settings().cache.absolute() / "sparks" / release
    with alone(folder.with_suffix(".mutex")):
        if not (folder / "complete").exists():
            shutil.rmtree(folder, ignore_errors=True)
            uv = [sys.executable, "-m", "uv", "--quiet", "pip", "install", "--no-deps"]
            subprocess.run([*uv, "--target", str(folder), f"pyspark=={release}"], check=True)
            (folder / "complete").touch()
    return folder


def run_tests_with(release: str, *words: str) -> str:
    """Run tests in a process with a release of Spark, and return what pytest writes."""
    found = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-m", "not soak", *words],
        env=os.environ | {"PYTHONPATH": str(pyspark_of(release))},
        cwd=Path(__file__).parents[2],
        check=False,
        capture_output=True,
        text=True,
    )
    return found.stdout + found.stderr
