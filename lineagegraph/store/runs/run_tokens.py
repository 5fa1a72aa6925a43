"""Tokens of single runs, with which programs of their tasks report over HTTP."""

from datetime import datetime, timedelta

import msgspec

from lineagegraph.graph import Transaction, bound


class RunTokenRow(msgspec.Struct, frozen=True):
    """The run of a token, and the namespace of its job."""

    run_id: str
    namespace: str


class ReportedRun(msgspec.Struct, frozen=True):
    """A run, and whether it is a given run or below it."""

    id: str
    is_inside: bool
    may_be_above: bool


@bound
def merge_run_token(
    tx: Transaction, *, run_id: str, hash: str, age: timedelta, now: datetime | None
) -> str | None: ...


@bound
def get_run_token(tx: Transaction, *, hash: str, now: datetime | None) -> RunTokenRow | None: ...


@bound
def delete_run_token(tx: Transaction, *, run_id: str, hash: str) -> None: ...


@bound
def list_known(tx: Transaction, *, ids: list[str], run_id: str) -> list[ReportedRun]: ...
