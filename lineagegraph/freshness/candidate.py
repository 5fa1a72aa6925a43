"""A task whose turn it is, with its terms and parents."""

from collections.abc import Mapping
from datetime import datetime

import msgspec

from lineagegraph.model.freshness.terms import Counts, Dependency, Freshness
from lineagegraph.model.pipelines.entry import Ended, Skipped


class Entering(msgspec.Struct, frozen=True, kw_only=True):
    """A task whose turn it is, in a run that a worker holds by its fence.

    `inside` maps the names of tasks of the same batch to their jobs' keys, `ended` those that came
    before it in this run to how they ended. `parts` are those of the partition, as
    `"name":"text"`. With `force` its own age does not count, with `ignore_parents` theirs.
    """

    run_id: str
    root_id: str
    fence: int
    job_key: str
    namespace: str
    freshness: Freshness
    dependencies: tuple[Dependency, ...] = ()
    inside: Mapping[str, str] = {}
    ended: Mapping[str, Ended] = {}
    skips: Mapping[str, Skipped] = {}
    parts: tuple[str, ...] = ()
    submitted: datetime
    force: bool = False
    ignore_parents: bool = False
    zone: str = "UTC"
    counts: Counts = Counts.END

    @property
    def lease(self) -> str:
        """The name of the lease that lets it start."""
        return " ".join((self.job_key, *sorted(self.parts)))
