"""A run while it goes on: its tree, how far Spark is, its log, and a button that stops it."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from html import escape
from pathlib import Path
from typing import Any

import msgspec
import traitlets

from lineagegraph.errors import GraphBusy, GraphUnreachable
from lineagegraph.execution.logs import read_tail
from lineagegraph.execution.stages_file import read_stages_files
from lineagegraph.graph import Graph
from lineagegraph.model.runs.states import FINAL, RunState
from lineagegraph.notebook.widgets.panel import Panel, page
from lineagegraph.queries.runs.hierarchy import Branch, read_run_tree
from lineagegraph.runs.cancel import cancel_run
from lineagegraph.settings import Settings
from lineagegraph.spark import Stage
from lineagegraph.store.jobs.hierarchy import RunTreeRow

_PATIENCE = 2.0
_MOST_ROWS = 300
_LONGEST = 2000


class LiveRow(msgspec.Struct, frozen=True):
    """A run of the tree, and the stages that Spark has for it."""

    id: str
    depth: int
    name: str
    kind: str | None
    state: str
    began: datetime | None
    ended: datetime | None
    said: str
    log: str | None
    stages: list[Stage]


class Live(msgspec.Struct, frozen=True):
    """What is seen of a run now; `away` says why it may be old, `why` what went wrong in it."""

    rows: list[LiveRow]
    is_over: bool
    tail: str
    log: str | None
    why: str | None
    away: str | None
    url: str | None


class LiveRun(Panel):
    """One run; `selected` is the run of its tree whose log is shown, `state` its state."""

    _esm, _css = page("live_run")
    run_id = traitlets.Unicode("").tag(sync=True)
    state = traitlets.Unicode("").tag(sync=True)

    def __init__(self, graph: Graph, settings: Settings, **state: Any) -> None:
        super().__init__(graph.with_patience(_PATIENCE), settings, **state)
        self._seen: Branch[RunTreeRow] | None = None

    def answer_live(self) -> Live:
        """Return what is seen of it; what was seen last, while Neo4j is away."""
        away = None
        try:
            self._seen = read_run_tree(self._graph, self.run_id, limit=_MOST_ROWS)
        except (GraphUnreachable, GraphBusy) as error:
            if self._seen is None:
                raise
            away = f"{error}; what runs goes on, and is looked at again"
        self.state = self._seen.item.state
        return _live(self._seen, self.selected, away, self._browser_link("run", self.run_id))

    def answer_stop(self) -> bool:
        """Ask for the run's end; False says that it is over, or runs nowhere here."""
        news = timedelta(seconds=self._settings.news_seconds)
        return self._graph.write(cancel_run, self.run_id, news=news, routes=self._settings.notify)

    def picture(self) -> dict[str, str]:
        """Return the tree as text."""
        rows = _rows(read_run_tree(self._graph, self.run_id, limit=_MOST_ROWS), {})
        text = "\n".join(f"{'  ' * row.depth}{row.state:<9} {row.name}" for row in rows)
        return {"text/plain": text, "text/html": f"<pre>{escape(text)}</pre>"}


def _live(tree: Branch[RunTreeRow], selected: str, away: str | None, url: str | None) -> Live:
    top = tree.item
    stages = read_stages_files(Path(top.log).parent) if top.log else {}
    rows = list(_rows(tree, stages))
    shown = next((row.log for row in rows if row.id == selected and row.log), top.log)
    faults = (row for row in reversed(rows) if row.state == RunState.FAILED and row.said)
    return Live(
        rows=rows,
        is_over=top.state in FINAL,
        tail=read_tail(Path(shown)) if shown else "",
        log=shown,
        why=next((f"{row.name}: {row.said}" for row in faults), None),
        away=away,
        url=url,
    )


def _rows(
    branch: Branch[RunTreeRow], stages: dict[str, list[Stage]], depth: int = 0
) -> Iterator[LiveRow]:
    row = branch.item
    yield LiveRow(
        id=row.id,
        depth=depth,
        name=row.simple_name if depth else row.name,
        kind=row.kind,
        state=row.state,
        began=row.started_at,
        ended=row.ended_at,
        said=(row.error or row.message or "").strip()[-_LONGEST:],
        log=row.log,
        # A process that was killed leaves its file.
        stages=stages.get(row.id, []) if row.state not in FINAL else [],
    )
    for child in branch.children:
        yield from _rows(child, stages, depth + 1)
