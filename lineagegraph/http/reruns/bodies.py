"""What a rerun is asked for with."""

from typing import Any

import msgspec

from lineagegraph.model.runs.rerun import Allow, RerunRequest


class RerunBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True, rename="camel"):
    """Which code, which parameters anew, and which tasks."""

    policy: str | None = None
    params: dict[str, Any] = {}
    tasks: tuple[str, ...] = ()
    from_task: str | None = None
    from_failed: bool = False
    allow: frozenset[Allow] = frozenset()
    isolated: bool = False

    def request(self, run_id: str) -> RerunRequest:
        """Return what is asked for of a run."""
        return RerunRequest(run=run_id, **msgspec.structs.asdict(self))
