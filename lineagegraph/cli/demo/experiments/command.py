"""`demo experiments`: the same Spark code hourly and daily, for three regions and their zones."""

import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from lineagegraph.admin.variables import set_variable
from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import errors, results
from lineagegraph.cli.demo.experiments.show import (
    DAILY,
    HOURLY,
    SHARED,
    LatestPartitionRun,
    read_latest,
    show_end,
    show_regions,
)
from lineagegraph.cli.demo.experiments.story import (
    BROKEN,
    ZONES,
    Hour,
    broken_hour,
    hours_in_time,
    hours_of_day,
    late_hour,
    write_clicks,
    write_experiments,
)
from lineagegraph.cli.demo.steps import daemon_running, queue, states, sync
from lineagegraph.cli.formatting import state_text, took
from lineagegraph.errors import RunError
from lineagegraph.graph import Graph
from lineagegraph.model.runs.states import FINAL, RunState
from lineagegraph.queries.runs.hierarchy import read_run_tree
from lineagegraph.settings import Settings, load_settings

_POLL_SECONDS = 0.5
_MOST_SECONDS = 900.0


class Follower:
    """Reports each run that ended since the follower was created, once."""

    def __init__(self, graph: Graph, inherit: bool) -> None:
        self._graph = graph
        self._inherit = inherit
        self._told = {latest.run.id for latest in self._ended()}

    def until(self, is_over: Callable[[set[str], set[str]], bool], status: str) -> None:
        """Wait until `is_over` accepts the ended runs, by run and by region of a whole day."""
        deadline = time.monotonic() + _MOST_SECONDS
        runs: set[str] = set()
        days: set[str] = set()
        with errors.status(status):
            while not is_over(runs, days):
                if time.monotonic() > deadline:
                    raise RunError(
                        f"the demo is not done after {_MOST_SECONDS:.0f} s: see `lineagegraph jobs`"
                    )
                time.sleep(_POLL_SECONDS)
                for latest in self._print_ended():
                    runs.add(latest.run.id)
                    days |= set() if latest.hour else {latest.region}

    def _print_ended(self) -> Sequence[LatestPartitionRun]:
        news = [latest for latest in self._ended() if latest.run.id not in self._told]
        for latest in sorted(news, key=lambda one: str(one.run.ended_at)):
            self._told.add(latest.run.id)
            results.print(_line(latest))
        return news

    def _ended(self) -> Iterator[LatestPartitionRun]:
        for job in (HOURLY, DAILY):
            for latest in read_latest(self._graph, job, self._inherit):
                if latest.run.state in FINAL:
                    yield latest


def _line(latest: LatestPartitionRun) -> Text:
    what = f"hour {latest.hour}" if latest.hour else "the day"
    lasted = took(latest.run.started_at, latest.run.ended_at)
    return Text.assemble(f"{latest.region}  {what:<8} ", state_text(latest.run.state), f" {lasted}")


_GOOD = (RunState.COMPLETED, RunState.FRESH_SKIP)
_PROJECT = Path(__file__).with_name("project")


def experiments(
    folder: Annotated[
        Path | None, typer.Option(help="Project folder (default: in your home folder).")
    ] = None,
    hours: Annotated[int, typer.Option(min=1, max=24, help="Number of hours to run.")] = 3,
) -> None:
    """Measure experiments hourly and daily in three regions; one hour is late, one fails."""
    # Not above: pandas takes as long to import as all other commands.
    from lineagegraph.cli.demo.experiments.check import check_sums

    settings = load_settings()
    project = (folder or settings.home / "experiments").resolve()
    _lay_out(project, hours)
    with connected(settings) as graph:
        set_variable(graph, "shop_hours", hours_of_day(hours))
        sync(graph, settings, project)
        with daemon_running(graph, settings):
            _run_in_time(graph, settings, hours)
            show_regions(graph, settings, "when all clicks were in but those of one late hour")
            _run_late(graph, settings, project, hours)
        sums = check_sums(project, _complete(hours))
        show_end(graph, settings, project, sums)


def _lay_out(project: Path, hours: int) -> None:
    shutil.copytree(_PROJECT, project, dirs_exist_ok=True)
    (project / "lineagegraph.toml").write_text('application = "experiments"\n')
    write_experiments(project / "website")
    for hour in hours_in_time(hours):
        write_clicks(project / "website", hour, broken=hour == broken_hour(hours))


def _run_in_time(graph: Graph, settings: Settings, hours: int) -> None:
    """Run all hours except the late one; triggers start the days whose hours are complete."""
    follower = Follower(graph, settings.inherit_namespace)
    _run_shared(graph, follower)
    queued = {hour: queue(graph, HOURLY, hour.params) for hour in hours_in_time(hours)}
    waited = {hour.region for hour in _complete(hours)} - {late_hour(hours).region}
    follower.until(
        lambda runs, days: runs >= set(queued.values()) and days >= waited,
        "the hours of three regions, and the days that follow from them",
    )


def _run_shared(graph: Graph, follower: Follower) -> None:
    shared = queue(graph, SHARED)
    follower.until(
        lambda runs, days: states(graph, [shared])[shared] in FINAL, "what all regions share"
    )
    if states(graph, [shared])[shared] not in _GOOD:
        raise RunError(f"experiments did not complete: see `lineagegraph show {shared}`")
    for task in read_run_tree(graph, shared).children:
        results.print(f"{SHARED}: {task.item.simple_name} {task.item.state}")


def _run_late(graph: Graph, settings: Settings, project: Path, hours: int) -> None:
    late = late_hour(hours)
    results.print(f"\nthe clicks of {late.region}'s hour {late.name} are there at last")
    write_clicks(project / "website", late)
    follower = Follower(graph, settings.inherit_namespace)
    _run_shared(graph, follower)
    queued = queue(graph, HOURLY, late.params)
    follower.until(lambda runs, days: queued in runs and late.region in days, "the late hour")


def _complete(hours: int) -> list[Hour]:
    """Return the hours of the regions that have no broken hour."""
    names = hours_of_day(hours)
    return [Hour(region, name) for region in ZONES if region != BROKEN for name in names]
