"""Read, trim and export the audit log, and record changed settings in it."""

import socket
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import msgspec

from lineagegraph.graph import Graph, Transaction
from lineagegraph.model.runs.ids import new_id
from lineagegraph.settings import Settings
from lineagegraph.store.admin import audit as store
from lineagegraph.store.admin.audit import AuditEntry, audit, state_text

_PART = 1_000
_SETTINGS = "settings.change"


class AuditFilter(msgspec.Struct, frozen=True, kw_only=True):
    """Which entries to read; all are, without any of these."""

    since: datetime | None = None  # from this time on
    until: datetime | None = None  # before this time
    actor: str | None = None  # author, as token:ci
    action: str | None = None  # an action, as schedule.suspend, or a thing, as schedule
    about: str | None = None  # key or name of a thing, or full name of the job that it is about

    def arguments(self) -> dict[str, Any]:
        """Return it as the arguments of statements."""
        spelled = {name: time and time.isoformat() for name, time in self._times().items()}
        about = {"about": self.about} if self.about is not None else {}
        return spelled | {"actor": self.actor, "action": self.action} | about

    def _times(self) -> dict[str, datetime | None]:
        return {"since": self.since, "until": self.until}


def list_entries(
    graph: Graph, chosen: AuditFilter, *, newest: bool = True, offset: int = 0, limit: int = 100
) -> list[AuditEntry]:
    """Return entries, newest first or oldest first."""
    return graph.read(_list, chosen, newest=newest, offset=offset, limit=limit)


def count_entries(graph: Graph, chosen: AuditFilter) -> int:
    """Return the number of entries."""
    if chosen.about is not None:
        return graph.read(store.count_about, **chosen.arguments())
    return graph.read(store.count_entries, **chosen.arguments())


def export_entries(graph: Graph, chosen: AuditFilter) -> Iterator[list[AuditEntry]]:
    """Yield all entries, oldest first, in parts: each is read when it is asked for.

    Entries that are added or deleted meanwhile move no others.
    """
    beyond = ""
    while part := graph.read(_list, chosen, newest=False, beyond=beyond, limit=_PART):
        yield part
        if len(part) < _PART:
            return
        chosen = msgspec.structs.replace(chosen, since=part[-1].at)
        beyond = part[-1].id


def forget_entries(graph: Graph, age: timedelta, now: datetime | None = None) -> int:
    """Delete the entries that are older than an age, and return how many; an entry counts them."""
    total = 0
    while deleted := graph.write(_forget, age, now):
        total += deleted
    return total


def record_settings(graph: Graph, settings: Settings) -> None:
    """Record the settings that are not the default, without secrets, if they changed.

    They are those of a home on this host, and are compared with the latest entry.
    """
    key = f"{socket.gethostname()}:{settings.home}"
    stated = settings.model_dump(mode="json", exclude_defaults=True)
    graph.write(_record, key, stated)


def _list(
    tx: Transaction,
    chosen: AuditFilter,
    *,
    newest: bool,
    offset: int = 0,
    limit: int,
    beyond: str = "",
) -> list[AuditEntry]:
    part: dict[str, Any] = {"offset": offset, "limit": limit}
    if chosen.about is not None:
        return store.list_about(tx, **chosen.arguments(), newest=newest, beyond=beyond, **part)
    if newest:
        return store.list_newest(tx, **chosen.arguments(), **part)
    return store.list_oldest(tx, **chosen.arguments(), beyond=beyond, **part)


def _forget(tx: Transaction, age: timedelta, now: datetime | None) -> int:
    deleted = store.delete_old(tx, age=age, limit=_PART, now=now)
    if deleted:
        audit(tx, "audit.forget", new_id(), before={"entries": deleted, "age": age})
    return deleted


def _record(tx: Transaction, key: str, stated: dict[str, Any]) -> None:
    before = store.get_last(tx, key=key, action=_SETTINGS)
    if before != state_text(stated):
        known = before and msgspec.json.decode(before)
        audit(tx, _SETTINGS, key, before=known, after=stated)
