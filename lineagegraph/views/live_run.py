"""The live view of a run: its tree, Spark's progress, its log, Stop, and marks by hand."""

from collections.abc import Iterator
from datetime import datetime
from math import inf
from pathlib import Path
from typing import Literal

import msgspec

from lineagegraph.errors import GraphBusy, GraphUnreachable
from lineagegraph.execution.logs import read_tail
from lineagegraph.execution.stages_file import read_stages_files
from lineagegraph.graph import Graph
from lineagegraph.model.runs.states import FINAL, RunState
from lineagegraph.queries.find.find import describe_job_deletion
from lineagegraph.queries.runs.hierarchy import Branch, read_run_tree
from lineagegraph.queries.runs.runs import read_run
from lineagegraph.runs.acknowledge import acknowledge_run
from lineagegraph.runs.annotate import annotate_run
from lineagegraph.runs.cancel import cancel_run
from lineagegraph.runs.mark import mark_run, unmark_run
from lineagegraph.settings import Settings
from lineagegraph.spark.progress import Stage
from lineagegraph.store.jobs.hierarchy import RunTreeRow
from lineagegraph.store.runs.notes import list_notes
from lineagegraph.views.muting import MutingView

_PATIENCE = 2.0
_MOST_ROWS = 300
_LONGEST = 2000
_RANKS: dict[str, int] = {RunState.FAILED: 0, RunState.KILLED: 0, RunState.RUNNING: 1}


class LiveRow(msgspec.Struct, frozen=True):
    """A run of the tree, and the stages that Spark has for it."""

    id: str  # id of the run
    depth: int  # levels below the top of the tree; 0 for the top
    name: str  # simple name of its job; the full name at the top
    kind: str | None  # kind of the run or its job; None if unknown
    state: str  # its state
    began: datetime | None  # its start; None before it
    ended: datetime | None  # its end; None before it
    said: str  # last 2,000 characters of its error or message; empty without either
    log: str | None  # path of its log file; None if not reported
    stages: list[Stage]  # Spark's stages; empty after the end


class Live(msgspec.Struct, frozen=True):
    """A run and all below it, and what people said about it."""

    rows: list[LiveRow]  # the run and those below it that tell most
    left_out: int  # number of those that are not in `rows`
    is_over: bool  # whether it has ended
    tail: str  # end of the selected log
    log: str | None  # path of that log; None without one
    why: str | None  # its error; None without one
    away: str | None  # why all of this may be out of date; None if it is not
    url: str | None  # its address in Neo4j Browser; None if unknown
    mark: str | None = None  # the mark by hand that decides its state; None without one
    seen: str | None = None  # who acknowledged its failure; None for nobody
    notes: tuple[str, ...] = ()  # notes about it, the oldest first


class LiveRunView(MutingView):
    """The live view of one run at a time."""

    acts = frozenset({"stop", "mark", "unmark", "acknowledge", "annotate"}) | MutingView.acts

    def __init__(self, graph: Graph, settings: Settings) -> None:
        super().__init__(graph.with_patience(_PATIENCE), settings)
        self._seen: dict[str, Branch[RunTreeRow]] = {}

    def answer_live(self, run: str, selected: str = "") -> Live:
        """Return a run and the selected log; the last known state while Neo4j is down."""
        away = None
        try:
            self._seen[run] = read_run_tree(self._graph, run)
        except (GraphUnreachable, GraphBusy) as error:
            if run not in self._seen:
                raise
            away = f"{error}; runs continue, and reading is retried"
        url = self._browser_link("run", run)
        live = _live(self._seen[run], selected, self._settings.home / "logs", away, url)
        return live if away else self._with_notes(live)

    def answer_job(self, run: str) -> dict[str, str | None] | None:
        """Return the job of a run and whether it was deleted, None for a run without one."""
        found = read_run(self._graph, run).run
        if not found.job_key:
            return None
        deleted = describe_job_deletion(self._graph, found.job_key, found.name)
        return {"namespace": found.namespace, "name": found.name, "deleted": deleted}

    def answer_stop(self, run: str) -> bool:
        """Request the end of the run; return False if it has ended or no process runs it."""
        max_event_age = self._settings.max_event_age
        return self._graph.write(
            cancel_run, run, max_event_age=max_event_age, routes=self._settings.notify
        )

    def answer_mark(self, run: str, state: Literal["COMPLETED", "FAILED"], reason: str) -> None:
        """Give a run that has ended another state."""
        mark_run(
            self._graph,
            run,
            RunState(state),
            reason,
            author=self.author,
            max_event_age=self._settings.max_event_age,
            routes=self._settings.notify,
        )

    def answer_unmark(self, run: str) -> None:
        """Remove the mark of a run, which has its own state again."""
        settings = self._settings
        unmark_run(self._graph, run, max_event_age=settings.max_event_age, routes=settings.notify)

    def answer_acknowledge(self, run: str, note: str = "") -> None:
        """Record that somebody has seen the failure of a run."""
        acknowledge_run(self._graph, run, note or None, author=self.author)

    def answer_annotate(self, run: str, note: str) -> None:
        """Add a note to a run."""
        annotate_run(self._graph, run, note, author=self.author, key=self.key)

    def _with_notes(self, live: Live) -> Live:
        run_id = live.rows[0].id
        notes = tuple(note.line for note in self._graph.read(list_notes, run_id=run_id))
        if not live.is_over:
            return msgspec.structs.replace(live, notes=notes)
        run = read_run(self._graph, run_id).run
        mark, seen = run.mark, run.acknowledgement
        return msgspec.structs.replace(
            live,
            mark=mark.text if mark else None,
            seen=seen.text if seen else None,
            notes=notes,
        )

    def list_rows(self, run: str) -> tuple[list[LiveRow], int]:
        """Return the rows of a run's tree without Spark's stages, and how many are left out."""
        tree = read_run_tree(self._graph, run)
        rows = list(_rows(tree, {}))
        shown = _most_telling(rows)
        return shown, len(rows) - len(shown) + (tree.left_out or 0)


def _live(
    tree: Branch[RunTreeRow], selected: str, logs: Path, away: str | None, url: str | None
) -> Live:
    top = tree.item
    is_here = top.log is not None and Path(top.log).resolve().is_relative_to(logs.resolve())
    stages = read_stages_files(Path(top.log).parent) if top.log and is_here else {}
    rows = list(_rows(tree, stages))
    shown = next((row.log for row in rows if row.id == selected and row.log), top.log)
    first = min(_causes(rows), key=_ended, default=None)
    telling = _most_telling(rows)
    return Live(
        rows=telling,
        left_out=len(rows) - len(telling) + (tree.left_out or 0),
        is_over=top.state in FINAL,
        tail=read_tail(Path(shown), logs) if shown else "",
        log=shown,
        why=f"{first.name}: {first.said}" if first else None,
        away=away,
        url=url,
    )


def _most_telling(rows: list[LiveRow]) -> list[LiveRow]:
    """Return the rows, of very many those that failed or go on before others, below their parents.

    A page that is drawn each second cannot have thousands of them.
    """
    if len(rows) <= _MOST_ROWS:
        return rows
    lines: list[list[int]] = []  # for each row its own number after those of the rows above it
    for number, row in enumerate(rows):
        lines.append([*(lines[-1][: row.depth] if lines else ()), number])
    kept: set[int] = set()
    for line in sorted(lines, key=lambda line: _RANKS.get(rows[line[-1]].state, len(_RANKS))):
        more = [number for number in line if number not in kept]
        if len(kept) + len(more) <= _MOST_ROWS:
            kept.update(more)
    return [rows[number] for number in sorted(kept)]


def _causes(rows: list[LiveRow]) -> list[LiveRow]:
    """Return the failed rows that tell why, without those above another one."""
    above: list[int] = []
    faults, explained = [], set()
    for number, row in enumerate(rows):
        del above[row.depth :]
        if row.state == RunState.FAILED and row.said:
            faults.append(number)
            explained.update(above)
        above.append(number)
    return [rows[number] for number in faults if number not in explained]


def _ended(row: LiveRow) -> float:
    return row.ended.timestamp() if row.ended else inf


def _rows(
    branch: Branch[RunTreeRow], stages: dict[str, list[Stage]], depth: int = 0
) -> Iterator[LiveRow]:
    row = branch.item
    yield LiveRow(
        id=row.id,
        depth=depth,
        name=row.short_label if depth else row.name,
        kind=row.kind,
        state=row.shown_state,
        began=row.shown_start,
        ended=row.ended_at,
        said=(row.error or row.message or "").strip()[-_LONGEST:],
        log=row.log,
        # A process that was killed leaves its file.
        stages=stages.get(row.id, []) if row.state not in FINAL else [],
    )
    for child in branch.children:
        yield from _rows(child, stages, depth + 1)
