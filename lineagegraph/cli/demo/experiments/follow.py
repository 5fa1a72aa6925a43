"""Follow the runs of all regions and print a line for each that ends."""

import time
from collections.abc import Callable, Iterator, Sequence

from rich.text import Text

from lineagegraph.cli.console import errors, results
from lineagegraph.cli.demo.experiments.regions import DAILY, HOURLY, LatestPartitionRun, read_latest
from lineagegraph.cli.formatting import state_text, took
from lineagegraph.errors import RunError
from lineagegraph.graph import Graph
from lineagegraph.model.runs.states import FINAL

_POLL_SECONDS = 0.5
_MOST_SECONDS = 900.0


class Follower:
    """Reports each run that ended since the follower was created, once."""

    def __init__(self, graph: Graph, inherit: bool) -> None:
        self._graph = graph
        self._inherit = inherit
        self._told = {latest.run.id for latest in self._ended()}

    def until(self, is_over: Callable[[set[str], set[str]], bool], said: str) -> None:
        """Wait until `is_over` accepts the ended runs, by run and by region of a whole day."""
        deadline = time.monotonic() + _MOST_SECONDS
        runs: set[str] = set()
        days: set[str] = set()
        with errors.status(said):
            while not is_over(runs, days):
                if time.monotonic() > deadline:
                    raise RunError(
                        f"the demo is not done after {_MOST_SECONDS:.0f} s: see `lineagegraph jobs`"
                    )
                time.sleep(_POLL_SECONDS)
                for latest in self._news():
                    runs.add(latest.run.id)
                    days |= set() if latest.hour else {latest.region}

    def _news(self) -> Sequence[LatestPartitionRun]:
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
