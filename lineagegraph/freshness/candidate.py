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

    run_id: str  # id of the task's own run
    root_id: str  # id of the run that a worker executes
    fence: int  # number of the claim by which the worker holds that run
    job_key: str  # key of the task's job
    namespace: str  # namespace of the pipeline
    freshness: Freshness  # terms of the task itself
    dependencies: tuple[Dependency, ...] = ()  # parents that must be fresh
    inside: Mapping[str, str] = {}  # job keys of the siblings, by name
    ended: Mapping[str, Ended] = {}  # ends of earlier siblings, by name
    skips: Mapping[str, Skipped] = {}  # entries of the skip list that apply to the run, by job key
    parts: tuple[str, ...] = ()  # the partition, each dimension as `"name":"text"`
    submitted: datetime  # time of the request; a maximum age of 0 counts from it
    force: bool = False  # whether to run it although it is fresh
    ignore_parents: bool = False  # whether to run it although parents are not fresh
    zone: str = "UTC"  # time zone of terms that name none
    counts: Counts = Counts.END  # time that counts for terms that name none

    @property
    def lease(self) -> str:
        """The name of the lease that lets it start."""
        return " ".join((self.job_key, *sorted(self.parts)))
