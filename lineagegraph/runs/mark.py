"""Mark a run that has ended as succeeded or failed by hand, and take the mark back."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from lineagegraph.errors import MarkRefused, NotFound
from lineagegraph.graph import Graph, Transaction
from lineagegraph.ingest.extract import extract
from lineagegraph.liveness.daemons import nudge_daemons
from lineagegraph.model.actor import LONGEST_AUTHOR, this_person
from lineagegraph.model.outbox.routes import Route
from lineagegraph.model.runs.facts import RunFacts, decode_facts
from lineagegraph.model.runs.hand_mark import BY_HAND
from lineagegraph.model.runs.states import FINAL, RunState
from lineagegraph.reactions.commit import commit
from lineagegraph.reactions.end_runs import own_event
from lineagegraph.store.admin.audit import audit
from lineagegraph.store.runs import marks
from lineagegraph.store.runs.marks import MarkableRun
from lineagegraph.text import one_line
from lineagegraph.triggers.react import MAX_EVENT_AGE

_LONGEST = 2_000
_STEP = timedelta(microseconds=1)


def mark_run(
    graph: Graph,
    run_id: str,
    state: RunState,
    reason: str,
    *,
    author: str | None = None,
    max_event_age: timedelta = MAX_EVENT_AGE,
    routes: Sequence[Route] = (),
    now: datetime | None = None,
) -> None:
    """Give a run or task that has ended the state COMPLETED or FAILED, until it is taken back.

    Triggers fire for the new state, and waits for it end. Raises `MarkRefused` without a reason,
    and for a run that goes on or has that state.
    """
    mark = {
        "state": state.value,
        "reason": _checked("a reason", reason, _LONGEST),
        "author": checked_author(author or this_person()),
    }

    def work(tx: Transaction) -> None:
        run, facts = _claim(tx, run_id, now)
        if facts.state is state:
            raise MarkRefused(f"run {run_id} is {state} already")
        before = {"state": facts.state.value}
        audit(tx, "run.mark", run_id, before=before, after=mark)
        _commit(tx, run, facts, mark, max_event_age, routes, now)

    graph.write(work)
    nudge_daemons(graph)


def unmark_run(
    graph: Graph,
    run_id: str,
    *,
    max_event_age: timedelta = MAX_EVENT_AGE,
    routes: Sequence[Route] = (),
    now: datetime | None = None,
) -> RunState:
    """Take a run's mark back and return the state of its own that it has again.

    Raises `MarkRefused` without a mark.
    """

    def work(tx: Transaction) -> RunState:
        run, facts = _claim(tx, run_id, now)
        if facts.hand_mark is None:
            raise MarkRefused(f"run {run_id} is not marked: its own state is {facts.state}")
        before = {"state": facts.state.value, "reason": facts.hand_mark.reason}
        audit(tx, "run.unmark", run_id, before=before, after={"state": facts.own_state.value})
        _commit(tx, run, facts, {"state": None}, max_event_age, routes, now)
        return facts.own_state

    restored = graph.write(work)
    nudge_daemons(graph)
    return restored


def checked_author(author: str) -> str:
    """Return the name of an author as one line; raise `MarkRefused` for none."""
    return _checked("an author", author, LONGEST_AUTHOR)


def checked_note(note: str) -> str:
    """Return a note as one line; raise `MarkRefused` for none."""
    return _checked("a note", note, _LONGEST)


def _claim(tx: Transaction, run_id: str, now: datetime | None) -> tuple[MarkableRun, RunFacts]:
    """Lock a run, and return it with its facts; raise `MarkRefused` unless it has ended."""
    found = marks.claim_ended(tx, id=run_id, now=now)
    if found is None:
        raise NotFound(f"no run {run_id!r}: `lineagegraph runs JOB` lists a job's runs")
    facts = decode_facts(found.facts, RunFacts) if found.facts else RunFacts()
    if found.is_open or facts.own_state not in FINAL:
        raise MarkRefused(
            f"run {run_id} is {facts.own_state} and has not ended: wait for its end, or end it "
            f"with `lineagegraph cancel {run_id}`"
        )
    if facts.own_state is RunState.SUPERSEDED:
        raise MarkRefused(f"run {run_id} is SUPERSEDED: mark the run that took it over")
    return found, facts


def _commit(
    tx: Transaction,
    run: MarkableRun,
    facts: RunFacts,
    mark: Mapping[str, str | None],
    max_event_age: timedelta,
    routes: Sequence[Route],
    now: datetime | None,
) -> None:
    event = own_event(
        run.id, run.namespace or "", run.name or "", _time(run, facts), {"mark": mark}
    )
    commit(tx, extract([event]), max_event_age=max_event_age, routes=routes, now=now)


def _time(run: MarkableRun, facts: RunFacts) -> datetime:
    """Return now, or just after what the run reported by a clock that is ahead of the graph's."""
    before = facts.said.get(BY_HAND)
    heard = max(facts.heard_last, before.at if before else "")
    return max(run.now, datetime.fromisoformat(heard) + _STEP)


def _checked(what: str, text: str, most: int) -> str:
    line = one_line(text, most)
    if line is None:
        raise MarkRefused(f"give {what}: one line of at most {most} characters")
    return line
