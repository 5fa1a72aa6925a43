"""The skip list: jobs that runs leave out for a while, with author and reason."""

from collections.abc import Callable
from datetime import datetime, timedelta

from lineagegraph.errors import Ambiguous, InvalidSkip, NotFound
from lineagegraph.graph import Graph, Transaction
from lineagegraph.model.actor import LONGEST_AUTHOR, this_person
from lineagegraph.model.runs.ids import new_id
from lineagegraph.model.temporary import in_utc
from lineagegraph.store.admin import skips
from lineagegraph.store.admin.audit import audited
from lineagegraph.store.admin.skips import SkipRow
from lineagegraph.text import one_line

IN_FORCE = "IN_FORCE"
_EVERY = 1_000_000
_LONGEST = 2_000
_LONGEST_TIME = timedelta(days=36_525)


def add_skip(
    graph: Graph,
    job_key: str,
    reason: str,
    *,
    author: str | None = None,
    lasting: timedelta | None = None,
    until: datetime | None = None,
    skip_id: str | None = None,
    check: Callable[[Transaction], None] = lambda tx: None,
    now: datetime | None = None,
) -> SkipRow:
    """Put a job and its descendants on the skip list, for runs that begin from now on.

    The entry ends after `lasting`, at `until`, or when it is removed. It replaces an earlier entry
    of the job; the same `skip_id` is added once. `check` is called first, in the same transaction,
    and may refuse the change. Raises `InvalidSkip` without a reason, and for an end in the past.
    """
    checked_reason = _checked("a reason", reason, _LONGEST)
    who = _checked("an author", author or this_person(), LONGEST_AUTHOR)
    if lasting is not None and until is not None:
        raise InvalidSkip("a skip ends after a duration or at a time: give one of them")
    if lasting is not None and lasting > _LONGEST_TIME:
        raise InvalidSkip("a skip lasts at most 100 years: leave out the duration for no end")
    id_, end = skip_id or new_id(), until and in_utc(until, InvalidSkip)

    def work(tx: Transaction) -> str | None:
        check(tx)
        replaced = [one.id for one in skips.list_in_force(tx, job_key=job_key, now=now)]
        with audited(tx, "skip.add", id_), audited(tx, "skip.remove", *({*replaced} - {id_})):
            return skips.merge_skip(
                tx,
                id=id_,
                job_key=job_key,
                reason=checked_reason,
                author=who,
                lasting=lasting,
                until=end,
                now=now,
            )

    if graph.write(work) is None:
        raise InvalidSkip("a skip must end in the future")
    return find_skip(graph, id_, now=now)


def remove_skip(
    graph: Graph, skip_id: str, *, by: str | None = None, now: datetime | None = None
) -> SkipRow:
    """End the entry of an id, or of a unique start of it; it stays in the history.

    Raises `NotFound` if it has ended already.
    """
    found = find_skip(graph, skip_id, now=now)
    if graph.write(_remove, found.id, by or this_person(), now) is None:
        raise NotFound(f"skip {found.id} of {found.job} has ended already: it is {found.state}")
    return find_skip(graph, found.id, now=now)


def remove_skips(
    graph: Graph,
    job_key: str,
    job: str,
    *,
    by: str | None = None,
    check: Callable[[Transaction], None] = lambda tx: None,
    now: datetime | None = None,
) -> list[str]:
    """End the entries of a job and return their ids; `job` is its name in errors.

    `check` is called first, in the same transaction, and may refuse the change. Raises `NotFound`
    if there is none, or only one of an ancestor.
    """
    who = by or this_person()

    def work(tx: Transaction) -> list[str]:
        check(tx)
        found = skips.list_in_force(tx, job_key=job_key, now=now)
        own = [one.id for one in found if one.job_key == job_key]
        if found and not own:
            above = found[0]
            raise NotFound(
                f"{job} is skipped as a part of {above.job}: remove the skip of {above.job}"
            )
        if not own:
            raise NotFound(f"{job} is not skipped: `lineagegraph skip list` lists the skipped jobs")
        return [one for one in own if _remove(tx, one, who, now)]

    return graph.write(work)


def list_skips(
    graph: Graph,
    *,
    ended: bool = False,
    namespace: str | None = None,
    limit: int = _EVERY,
    offset: int = 0,
    now: datetime | None = None,
) -> list[SkipRow]:
    """Return the skip list, newest first; with `ended` also ended entries."""
    return graph.read(
        skips.list_skips, ended=ended, namespace=namespace, limit=limit, offset=offset, now=now
    )


def find_skip(graph: Graph, skip_id: str, *, now: datetime | None = None) -> SkipRow:
    """Return the entry of an id, whether in force or not; a unique start of an id will do."""
    found = graph.read(skips.list_starting, prefix=skip_id.lower(), now=now) if skip_id else []
    if len({one.id for one in found}) > 1 and found[0].id != skip_id.lower():
        listed = ", ".join(one.id for one in found)
        raise Ambiguous(f"several skips start with {skip_id!r} ({listed}): give more of the id")
    if not found:
        raise NotFound(f"no skip {skip_id!r}: `lineagegraph skip list --all` lists them")
    return found[0]


def _remove(tx: Transaction, id_: str, by: str, now: datetime | None) -> str | None:
    with audited(tx, "skip.remove", id_):
        return skips.set_removed(tx, id=id_, by=by, now=now)


def _checked(what: str, text: str, most: int) -> str:
    line = one_line(text, most)
    if line is None:
        raise InvalidSkip(f"a skip needs {what}: one line of at most {most} characters")
    return line
