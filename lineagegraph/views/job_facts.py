"""What is known about a job today, and the runs that it skips."""

from collections.abc import Callable
from datetime import datetime
from typing import ClassVar

import msgspec

from lineagegraph.admin.skips import add_skip, remove_skips
from lineagegraph.graph import Transaction
from lineagegraph.model.freshness.describe import describe_terms
from lineagegraph.queries.find.find import node_id
from lineagegraph.queries.freshness.freshness import (
    describe_staleness,
    read_standings,
    with_causes,
)
from lineagegraph.queries.search.details import read_details
from lineagegraph.queries.triggers.triggers import read_starting
from lineagegraph.queries.versions.as_was import AsWas, read_as_was
from lineagegraph.queries.versions.history import read_versions
from lineagegraph.store.admin.skips import SkipRow, list_in_force, list_starting
from lineagegraph.text import format_age, format_local
from lineagegraph.views.known import Known, only_known
from lineagegraph.views.view import View


class FactVersion(msgspec.Struct, frozen=True):
    """A version of the job, and what it changed."""

    version: str
    since: datetime | None
    is_current: bool
    runs: int
    news: tuple[str, ...]


class FactTrigger(msgspec.Struct, frozen=True):
    """A trigger that starts the job."""

    id: str
    name: str | None
    text: str | None
    enabled: bool


class FactFreshness(msgspec.Struct, frozen=True):
    """How fresh the job is by its terms, and why it is not."""

    node: str
    state: str
    age: str
    terms: str
    why: str


class JobFacts(msgspec.Struct, frozen=True):
    """What is known about a job; `facts` are names with texts, the owners among them."""

    node: str
    facts: tuple[tuple[str, str], ...]
    versions: tuple[FactVersion, ...]
    triggers: tuple[FactTrigger, ...]
    freshness: FactFreshness | None
    skip: SkipRow | None


class JobFactsView(View):
    """A view of a job that tells its versions, triggers, freshness and owners, and skips it."""

    acts: ClassVar[frozenset[str]] = frozenset({"skip", "unskip"})

    def answer_facts(self, job: str, namespace: str = "") -> JobFacts:
        """Return what is known about a job today."""
        found = self._find_job(job, namespace)
        versions = read_versions(self._graph, found.key)
        triggers = read_starting(self._graph, found.namespace, found.name)
        return JobFacts(
            node=node_id(found),
            facts=read_details(self._graph, found.key, zone=self._settings.zone).lines,
            versions=tuple(
                FactVersion(one.version, one.created_at, one.is_current, one.runs, one.news)
                for one in versions
            ),
            triggers=tuple(
                FactTrigger(one.id, one.name, one.text, one.enabled) for one in triggers
            ),
            freshness=self._freshness(found.key),
            skip=self._graph.read(_skip_of, found.key),
        )

    def answer_as_was(self, run: str) -> AsWas:
        """Return a run as it was: its data, parameters, version and tasks."""
        return read_as_was(self._graph, run)

    def answer_skip(
        self,
        job: str,
        reason: str,
        until: str = "",
        namespace: str = "",
        known: Known = msgspec.UNSET,
    ) -> None:
        """Put a job on the skip list until a time, or until it is removed.

        `known` is the entry that the person saw, None without one: another is not replaced.
        """
        found = self._find_job(job, namespace)
        end = self._read_time(until) if until else None
        check = _only(found.key, known)
        add_skip(self._graph, found.key, reason, author=self.author, until=end, check=check)

    def answer_unskip(self, job: str, namespace: str = "", known: Known = msgspec.UNSET) -> None:
        """Take a job off the skip list; with `known` only this entry."""
        found = self._find_job(job, namespace)
        check = _only(found.key, known)
        remove_skips(self._graph, found.key, found.name, by=self.author, check=check)

    def _freshness(self, key: str) -> FactFreshness | None:
        zone = self._settings.zone
        standings = read_standings(self._graph, zone, [key])
        for one in with_causes(self._graph, zone, standings):
            age, terms = format_age(one.judged.age), describe_terms(one.about.terms)
            return FactFreshness(one.node, one.state.value, age, terms, describe_staleness(one))
        return None


def _skip_of(tx: Transaction, key: str) -> SkipRow | None:
    found = list_in_force(tx, job_key=key, now=None)
    return list_starting(tx, prefix=found[0].id, now=None)[0] if found else None


def _only(key: str, known: Known) -> Callable[[Transaction], None]:
    """Return a check that the skip in force of a job is the one that a person knew."""
    return only_known(key, known, "the skip", _skip_of, _describe)


def _describe(skip: SkipRow) -> str:
    until = f"until {format_local(skip.expires_at)}" if skip.expires_at else "until it is removed"
    return f"{skip.job} is skipped {until} by {skip.author}: {skip.reason}"
