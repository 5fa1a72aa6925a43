"""A run with all that is known of it, as a table."""

from collections.abc import Iterator
from typing import Any

import msgspec

from lineagegraph.notebook.results.result import Result
from lineagegraph.notebook.results.say import say
from lineagegraph.notebook.results.trees import INDENT
from lineagegraph.queries.runs.hierarchy import Branch
from lineagegraph.queries.runs.run_facts import list_facts
from lineagegraph.queries.runs.runs import WholeRun
from lineagegraph.store.jobs.hierarchy import RunTreeRow
from lineagegraph.store.runs.history import DatasetUseRow
from lineagegraph.text import duration


class RunSummary(WholeRun, frozen=True):
    """All that is known of a run; a notebook shows it as a table."""

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        rows = [*list_facts(self), *_parts(self.tree, 0), *_uses("read", self.reads)]
        left_out = self.tree.left_out
        note = f"{left_out:,} more runs below it" if left_out else ""
        whole = Result(("fact", "value"), [*rows, *_uses("wrote", self.writes)], note=note)
        return whole._repr_mimebundle_()


def known_run(whole: WholeRun) -> RunSummary:
    """Return a run as a notebook shows it."""
    return RunSummary(*msgspec.structs.astuple(whole))


def _parts(branch: Branch[RunTreeRow], depth: int) -> Iterator[tuple[str, str]]:
    for child in branch.children:
        row = child.item
        took = duration(row.started_at, row.ended_at)
        name = f"{INDENT * depth}{row.simple_name}"
        yield row.kind or "run", f"{name}: {row.state}" + (f", {say(took)}" if took else "")
        yield from _parts(child, depth + 1)


def _uses(what: str, uses: tuple[DatasetUseRow, ...]) -> Iterator[tuple[str, str]]:
    for use in uses:
        rows = "" if use.row_count is None else f", {use.row_count:,} rows"
        yield what, f"{use.namespace}:{use.name}{rows}"
