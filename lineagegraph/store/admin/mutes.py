"""Mutes: jobs of whose failures nobody is notified for a while."""

from datetime import datetime

import msgspec

from lineagegraph.graph import Transaction, bound


class MuteRow(msgspec.Struct, frozen=True):
    """A muted job, with author, reason and end."""

    namespace: str
    job: str
    reason: str
    author: str
    created_at: datetime
    expires_at: datetime


@bound
def merge_mute(
    tx: Transaction,
    *,
    id: str,
    job_key: str,
    reason: str,
    author: str,
    until: datetime,
    now: datetime | None,
) -> MuteRow | None: ...


@bound
def delete_mute(tx: Transaction, *, job_key: str, now: datetime | None) -> bool: ...


@bound
def list_mutes(tx: Transaction, *, now: datetime | None) -> list[MuteRow]: ...


@bound
def list_mutes_of(tx: Transaction, *, job_key: str, now: datetime | None) -> list[MuteRow]: ...
