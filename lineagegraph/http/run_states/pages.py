"""Changes of state, a page at a time."""

from typing import Annotated

import msgspec
from starlette.responses import Response

from lineagegraph.graph import Graph
from lineagegraph.http.plumbing.answers import AnswerStruct, about
from lineagegraph.http.plumbing.formats import JSON, AnswerFormat, formatted, to_ndjson
from lineagegraph.http.run_states.feed import PAGE
from lineagegraph.http.run_states.selection import Selection
from lineagegraph.model.access import Caller
from lineagegraph.queries.runs.run_states import RunStateChange, read_changes
from lineagegraph.store.runs.state_changes import Bounds

# So many changes are read for one page, whether or not they are wanted.
_MOST_READ = 20 * PAGE


class RunStatePageAnswer(AnswerStruct):
    """Changes, and where to go on."""

    run_states: list[RunStateChange]
    next: Annotated[
        int, about("Ask for changes after this id next; less than newest where there are more.")
    ]
    oldest: Annotated[int, about("The oldest id that is kept or to come.")]
    newest: Annotated[int, about("The newest id, 0 where there is none yet.")]


def read_page(
    graph: Graph,
    bounds: Bounds,
    after: int,
    limit: int,
    chosen: Selection,
    caller: Caller,
    inherit: bool,
) -> tuple[list[RunStateChange], int]:
    """Return at most `limit` changes after a number, and the number after which the rest is."""
    found: list[RunStateChange] = []
    end = min(bounds.newest, after + max(limit, _MOST_READ))
    while after < end and len(found) < limit:
        until = min(after + PAGE, end)
        read = graph.read(read_changes, after, until, inherit)
        found += (change for change in read if chosen.takes(change, caller))
        after = until
    if len(found) > limit:
        after = found[limit - 1].id
    return found[:limit], after


def page_answer(
    form: AnswerFormat, found: list[RunStateChange], next_: int, bounds: Bounds
) -> Response:
    """Answer with a page."""
    if form is not JSON:
        return formatted(form, to_ndjson(found))
    body = RunStatePageAnswer(found, next_, bounds.forgotten + 1, bounds.newest)
    return formatted(form, msgspec.json.encode(body))
