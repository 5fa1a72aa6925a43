"""What set a run off, as its tasks see it."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec


class WrittenDataset(msgspec.Struct, frozen=True, kw_only=True):
    """A dataset of which a run wrote a version, and which partition of it."""

    namespace: str
    name: str
    version: str
    partition: str | None = None


class Upstream(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that a firing consumed: the end of a run, a version, an event or a time.

    `payload` has the user arguments of the run and what it emitted, under their own names; for an
    event it is what came with it. `chosen` tells whose payload counts where there are several.
    """

    status: str
    at: datetime
    chosen: bool
    job: str | None = None
    run_id: str | None = None
    started_at: datetime | None = None
    ended_at: datetime | None = None
    event: str | None = None
    payload: dict[str, Any] = {}
    datasets: tuple[WrittenDataset, ...] = ()
