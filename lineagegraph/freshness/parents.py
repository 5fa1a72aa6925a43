"""The verdict on a task from its parents, after those in its batch have ended."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from lineagegraph.freshness.describe import describe_latest
from lineagegraph.freshness.judge import Verdict
from lineagegraph.model.freshness.describe import describe_freshness, describe_removed
from lineagegraph.model.freshness.terms import Dependency, WhenNewer, WhenSkipped
from lineagegraph.model.pipelines.entry import End, Ended, Entry, Skipped, Wait, Waits
from lineagegraph.model.runs.states import RunState
from lineagegraph.store.freshness.dependencies import RemovedJob
from lineagegraph.store.freshness.freshness import SuccessRow
from lineagegraph.store.freshness.waits import WaitRow
from lineagegraph.text import format_age


class Parent(NamedTuple):
    """A dependency, the key of its job if known, and its verdict.

    `removed` is set if no definition states it any more.
    """

    dependency: Dependency
    key: str | None
    verdict: Verdict
    ended: Ended | None
    skip: Skipped | None
    removed: RemovedJob | None = None

    @property
    def is_met(self) -> bool:
        """Whether it keeps the task back no more."""
        if self.verdict.is_fresh or (self.ended and self.ended.is_current):
            return True
        return self.is_skipped and self.dependency.when_skipped is WhenSkipped.IGNORE

    @property
    def has_failed(self) -> bool:
        """Whether it ended badly in the same run."""
        return self.ended is not None and self.ended.state in (RunState.FAILED, RunState.KILLED)

    @property
    def is_skipped(self) -> bool:
        """Whether it is on the skip list."""
        return self.skip is not None or (
            self.ended is not None and self.ended.state is RunState.SKIPPED
        )


def judge_parents(
    parents: Sequence[Parent], waits: Mapping[str, WaitRow], now: datetime, zone: str
) -> Entry | None:
    """Return the verdict of the parents on a task; None if it may start."""
    unmet = [parent for parent in parents if not parent.is_met]
    if failed := [one for one in unmet if one.has_failed]:
        return End(RunState.FAILED, "UPSTREAM_FAILED", f"not run: {_ended(failed)}")
    if unknown := [one.dependency.job for one in unmet if one.key is None]:
        message = f"not run: unknown parents: {', '.join(unknown)}"
        return End(RunState.FAILED, "PARENT_NOT_FRESH", message)
    skipped = [one for one in unmet if one.is_skipped]
    fault = "; ".join(_stale(one, zone) for one in skipped or unmet)
    if any(one.dependency.when_skipped is WhenSkipped.BLOCK for one in skipped):
        return End(RunState.FAILED, "PARENT_NOT_FRESH", f"not run: {fault}")
    if skipped:
        return End(RunState.SKIPPED, "PARENT_SKIPPED", f"skipped because of its parents: {fault}")
    if late := [one for one in unmet if _is_late(one, waits, now)]:
        began = min(waits[str(one.key)].began_at for one in late)
        waited = format_age((now - began).total_seconds())
        return End(RunState.FAILED, "PARENT_NOT_FRESH", f"waited {waited}: {fault}")
    if unmet:
        return Waits("WAITS_FOR_PARENTS", fault, tuple(map(_wait, unmet)))
    return None


def outdated_by(parents: Sequence[Parent], latest: SuccessRow | None) -> list[str]:
    """Return the parents that succeeded after a task's last success began, if it heeds them."""
    return [
        one.dependency.job
        for one in parents
        if one.dependency.when_newer is WhenNewer.RERUN
        and latest is not None
        and _ended_after(one.verdict.latest, latest.started_at)
    ]


def _ended_after(success: SuccessRow | None, at: datetime) -> bool:
    return success is not None and success.ended_at > at


def _is_late(parent: Parent, waits: Mapping[str, WaitRow], now: datetime) -> bool:
    wait = waits.get(str(parent.key))
    return wait is not None and wait.deadline is not None and wait.deadline <= now


def _wait(parent: Parent) -> Wait:
    one = parent.dependency
    return Wait(
        job_key=str(parent.key), freshness=one.freshness, recheck=one.recheck, wait=one.wait
    )


def _ended(parents: Sequence[Parent]) -> str:
    ends = ((parent.dependency.job, parent.ended) for parent in parents)
    return ", ".join(f"{name} ended {end.state}" for name, end in ends if end)


def _stale(parent: Parent, zone: str) -> str:
    """Return the fault of a parent: its last success, its terms, and why it has no newer one."""
    terms = describe_freshness(parent.dependency.freshness, zone)
    text = f"{parent.dependency.job} {describe_latest(parent.verdict)} (needed: {terms})"
    if parent.skip is not None:
        by = f" by {parent.skip.author}" if parent.skip.author else ""
        return f"{text} and is on the skip list{by}: {parent.skip.reason}"
    if parent.is_skipped:
        return f"{text} and was skipped"
    if parent.removed is None:
        return text
    gone = parent.removed
    return f"{text} and {describe_removed(gone.pipeline, is_withdrawn=gone.is_withdrawn)}"
