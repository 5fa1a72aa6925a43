"""Bodies of requests for backfills."""

from typing import Annotated, Any

import msgspec

from lineagegraph.http.plumbing.answers import about
from lineagegraph.model.triggers.backfill import BackfillSpan, NominalRange, PartitionOrder, Which

WhichBody = Annotated[
    Which,
    about(
        "Partitions of which no run completed, that had none, of which the latest failed or was "
        "killed, or all."
    ),
]
OrderBody = Annotated[PartitionOrder, about("Which partitions come first.")]


class BackfillTimesBody(msgspec.Struct, forbid_unknown_fields=True):
    """Days or times, both ends included: days as 2026-01-31, times as 2026-01-31T06:00.

    A local day has 23, 24 or 25 hours.
    """

    first: str
    last: str
    step: Annotated[str, about("1d, 6h, 15m, 1w or 1mo.")] = "1d"
    zone: Annotated[str | None, about("Zone of the days; the setting, where it is not given.")] = (
        None
    )
    parameter: Annotated[
        str | None,
        about(
            "The parameter that takes them; otherwise the one of partition_by that is a date or a "
            "time."
        ),
    ] = None


class BackfillSpanBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True, rename="camel"):
    """A pipeline, and its partitions: each of the times with each of the values with each row."""

    job: Annotated[str, about("The name of a pipeline that was synced.")]
    namespace: Annotated[
        str | None, about("Its namespace; the setting, where it is not given.")
    ] = None
    times: Annotated[BackfillTimesBody | None, about("Days or times; null without them.")] = None
    values: Annotated[
        dict[str, list[Any]], about("Values of parameters: each with each of the others.")
    ] = {}
    rows: Annotated[
        list[dict[str, Any]], about("Values of several parameters at once, a partition each.")
    ] = []
    which: WhichBody = Which.INCOMPLETE
    order: OrderBody = PartitionOrder.OLDEST

    def span(self, zone: str) -> BackfillSpan:
        """Return the partitions; a range that names no zone is in `zone`."""
        return BackfillSpan(self._range(zone), self.values, self.rows, self.which, self.order)

    def _range(self, zone: str) -> NominalRange | None:
        said = self.times
        if said is None:
            return None
        return NominalRange(said.first, said.last, said.step, said.zone or zone, said.parameter)


class BackfillStartBody(BackfillSpanBody, kw_only=True, forbid_unknown_fields=True, rename="camel"):
    """A backfill to start."""

    id: Annotated[
        str | None, about("Letters, digits, _, - and . Under the same id it is started once.")
    ] = None
    concurrency: Annotated[int, about("Maximum number of runs at a time.")] = 1
    stop_after: Annotated[int | None, about("Pause after this many failures.")] = None
