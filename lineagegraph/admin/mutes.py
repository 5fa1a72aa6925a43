"""Mute the failures of jobs: no notifications until a time."""

from collections.abc import Callable
from datetime import datetime

from lineagegraph.errors import InvalidMute, NotFound
from lineagegraph.graph import Graph, Transaction
from lineagegraph.model.runs.ids import new_id
from lineagegraph.model.temporary import checked_end, checked_reason, in_utc
from lineagegraph.store.admin import mutes
from lineagegraph.store.admin.audit import audit
from lineagegraph.store.admin.mutes import MuteRow
from lineagegraph.text import format_local


def mute_job(
    graph: Graph,
    job_key: str,
    reason: str,
    until: datetime,
    *,
    author: str | None = None,
    check: Callable[[Transaction], None] = lambda tx: None,
    now: datetime | None = None,
) -> MuteRow:
    """Send no notifications of failures of a job, and of all below it, until a time.

    `check` is called first, in the same transaction, and may refuse the change. Raises
    `InvalidMute` without a reason, and for an end in the past.
    """
    said = checked_reason(reason, author, InvalidMute)
    end, id_ = in_utc(until, InvalidMute), new_id()

    def work(tx: Transaction) -> MuteRow:
        check(tx)
        written = mutes.merge_mute(tx, id=id_, job_key=job_key, until=end, now=now, **said)
        muted = checked_end("a mute", written, InvalidMute)
        audit(tx, "job.mute", job_key, job_key=job_key, after=said | {"until": end.isoformat()})
        return muted

    return graph.write(work)


def unmute_job(
    graph: Graph,
    job_key: str,
    job: str,
    *,
    check: Callable[[Transaction], None] = lambda tx: None,
    now: datetime | None = None,
) -> None:
    """End the mute of a job; `job` is its name in errors, and `check` may refuse it."""

    def work(tx: Transaction) -> None:
        check(tx)
        if not mutes.delete_mute(tx, job_key=job_key, now=now):
            raise NotFound(f"{job} is not muted: `lineagegraph status` lists the muted jobs")
        audit(tx, "job.unmute", job_key, job_key=job_key)

    graph.write(work)


def list_mutes(graph: Graph, now: datetime | None = None) -> list[MuteRow]:
    """Return the jobs that are muted now, by name."""
    return graph.read(mutes.list_mutes, now=now)


def describe_mute(mute: MuteRow) -> str:
    """Return one line about a mute."""
    return f"{mute.job} until {format_local(mute.expires_at)} by {mute.author}: {mute.reason}"
