"""Packages of a run: those of this process, or an isolated environment made by uv."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import lineagegraph
from lineagegraph.errors import RunError
from lineagegraph.graph import Graph
from lineagegraph.graph.statements import cypher_folder
from lineagegraph.model.pipelines.environment import Environment, Package
from lineagegraph.neo4j_server.filelock import locked
from lineagegraph.process_environment.chosen import BASE, choose
from lineagegraph.process_environment.handover import handing_over, inherited_environment
from lineagegraph.reruns.environment import changed_packages, describe_change
from lineagegraph.reruns.installed import installed_environment, needed_by
from lineagegraph.reruns.isolation import OURSELVES, wanted
from lineagegraph.settings import Settings
from lineagegraph.store.runs.environments import WantedEnvironment, get_wanted, write_environment

_TOLD_LINES = 4


def isolated_python(settings: Settings, lock: Environment) -> Path:
    """Return the Python of an environment with the packages of a lock; create it if it is missing.

    lineagegraph itself is the one of this process. Raises `RunError` if uv cannot create it.
    """
    folder = settings.cache / "environments" / lock.sha256
    folder.parent.mkdir(parents=True, exist_ok=True)
    with locked(folder.with_suffix(".lock")):
        # An unfinished environment of a process that died is created again.
        if not (folder / "complete").exists():
            shutil.rmtree(folder, ignore_errors=True)
            _make(folder, lock)
            (folder / "complete").touch()
    return folder / "bin" / "python"


def _make(folder: Path, lock: Environment) -> None:
    uv = _find_uv()
    python = folder / "bin" / "python"
    _run(f"Python {lock.python}", [uv, "venv", "--quiet", "--python", lock.python, str(folder)])
    packages = folder / "lock.txt"
    packages.write_text("".join(f"{line}\n" for line in _requirements(lock)), encoding="utf-8")
    install = [uv, "pip", "install", "--quiet", "--no-deps", "--python", str(python)]
    _run("the packages of the original", [*install, "--requirement", str(packages)])
    _link_ourselves(folder)


def _find_uv() -> str:
    beside = Path(sys.executable).with_name("uv")
    found = shutil.which("uv") or (str(beside) if beside.exists() else None)
    if found is None:
        raise RunError("an isolated rerun needs uv: `pip install uv`")
    return found


def _requirements(lock: Environment) -> Iterator[str]:
    had = {package.name for package in lock.packages}
    for package in wanted(lock):
        yield _requirement(package)
    # What lineagegraph needs today and did not then.
    for package in installed_environment().packages:
        if package.name in needed_by(OURSELVES) - had:
            yield _requirement(package)


def _requirement(package: Package) -> str:
    if package.url:
        return f"{package.name} @ {package.url}"
    return f"{package.name}=={package.version}"


def _run(what: str, command: list[str]) -> None:
    done = subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        env=choose(inherited_environment(), (*BASE, "UV_*", "PIP_*")),
    )
    if done.returncode:
        fault = " ".join(" ".join(done.stderr.strip().splitlines()[-_TOLD_LINES:]).split())
        raise RunError(
            f"the isolated environment cannot be created: uv cannot install {what}: {fault}"
        )


def _link_ourselves(folder: Path) -> None:
    (site,) = folder.glob("lib/python*/site-packages")
    package = Path(lineagegraph.__file__).parent
    (site / OURSELVES).symlink_to(package)
    if not cypher_folder().is_relative_to(package):
        (site / "cypher").symlink_to(cypher_folder())
    try:
        found = distribution(OURSELVES).locate_file("")
        about = next(Path(str(found)).glob(f"{OURSELVES}-*.dist-info"))
    except (PackageNotFoundError, StopIteration):
        return
    (site / about.name).symlink_to(about)


_INSIDE = "LINEAGEGRAPH_INSIDE_ENVIRONMENT"


def enter_environment(graph: Graph, settings: Settings, run_id: str, fence: int) -> None:
    """Record the packages of a run; raise `RunError` if the rerun requires others.

    For an isolated rerun this replaces the process by one of the required environment.
    """
    wanted = graph.read(get_wanted, run_id=run_id)
    if wanted and wanted.isolated and os.environ.get(_INSIDE) != wanted.sha256:
        _become(settings, wanted, run_id, fence)
    here = installed_environment()
    if wanted and not wanted.isolated and (changes := changed_packages(wanted.read(), here)):
        listed = "; ".join(describe_change(change) for change in changes)
        raise RunError(f"run {run_id} cannot run as it was, as the packages here differ: {listed}")
    graph.write(write_environment, run_id, here)


def _become(settings: Settings, wanted: WantedEnvironment, run_id: str, fence: int) -> None:
    """Replace the program in this process by another Python; the pid stays, so no end is seen."""
    python = str(isolated_python(settings, wanted.read()))
    command = [python, "-m", "lineagegraph.worker.worker", run_id, str(fence)]
    with handing_over(settings) as given:
        for descriptor in given.descriptors:
            os.set_inheritable(descriptor, True)
        os.execve(python, command, given.environment | {_INSIDE: wanted.sha256})
