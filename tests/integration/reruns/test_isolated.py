"""Reruns in an environment made from the lock of the original."""

import os
import subprocess
import sys

import msgspec
import pytest

from lineagegraph.model.pipelines.environment import Package
from lineagegraph.model.runs.rerun import RerunRequest
from lineagegraph.reruns.installed import installed_environment
from lineagegraph.reruns.plan import plan_rerun
from lineagegraph.settings import Settings
from lineagegraph.worker import environment
from lineagegraph.worker.environment import isolated_python

ONE = """
lg.pipeline("one", tasks=[lg.command("a", ["true"])])
"""


def test_a_package_from_a_folder_cannot_be_had_again(project):
    project.state(ONE)
    run = project.run("one")
    project.graph.query(
        "MATCH (e:Environment) SET e.packages = $packages",
        {"packages": '[{"name": "own", "version": "1", "url": "file:///src/own"}]'},
        write=True,
    )
    asked = RerunRequest(run=run, policy="as_was", isolated=True)
    plan = plan_rerun(project.graph, project.settings, asked)
    assert plan.missing == ("own was installed from file:///src/own, which may have changed since",)
    assert plan.differences == ()


def test_without_uv_the_run_says_so(project, monkeypatch):
    project.state(ONE)
    run = project.run("one")
    monkeypatch.setattr(environment.shutil, "which", lambda name: None)
    monkeypatch.setattr(environment.sys, "executable", "/nowhere/python")
    again = project.rerun(run, policy="as_was", isolated=True)
    (row,) = project.graph.query(
        "MATCH (r:Run {id: $id}) RETURN r.reason AS reason, r.error AS error", {"id": again}
    )
    assert row["reason"] == "NOT_STARTED"
    assert "an isolated rerun needs uv: `pip install uv`" in row["error"]


@pytest.mark.soak
def test_an_environment_has_the_packages_of_the_lock_and_todays_lineagegraph(tmp_path, monkeypatch):
    """All packages are installed by uv, which is fetched: minutes, and a gigabyte."""
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "uv"], check=True)
    subprocess.run([tmp_path / "uv/bin/pip", "install", "--quiet", "uv"], check=True)
    monkeypatch.setenv("PATH", f"{tmp_path / 'uv/bin'}:{os.environ['PATH']}")
    here = installed_environment()
    other = tuple(
        Package(one.name, "9.0.0") if one.name == "tenacity" else one for one in here.packages
    )
    lock = msgspec.structs.replace(here, packages=other)
    python = isolated_python(Settings(cache=tmp_path / "cache"), lock)
    asked = (
        "import lineagegraph.worker.worker as w, importlib.metadata as m;"
        "print(w.main.__name__, m.version('tenacity'), m.version('lineagegraph'))"
    )
    said = subprocess.run(
        [python, "-c", asked], cwd="/", check=True, capture_output=True, text=True
    )
    assert said.stdout.split()[:2] == ["main", "9.0.0"]
    assert isolated_python(Settings(cache=tmp_path / "cache"), lock) == python, "it is made once"
