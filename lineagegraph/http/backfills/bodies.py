"""What a backfill is asked for with."""

from typing import Any

import msgspec

from lineagegraph.model.triggers.backfill import Order, Span, TimeRange, Which


class TimesBody(msgspec.Struct, forbid_unknown_fields=True):
    """A range of days or times, both ends included; `parameter` takes them."""

    first: str
    last: str
    step: str = "1d"
    zone: str | None = None
    parameter: str | None = None


class SpanBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True, rename="camel"):
    """A pipeline, and which of its partitions."""

    job: str
    namespace: str | None = None
    times: TimesBody | None = None
    values: dict[str, list[Any]] = {}
    rows: list[dict[str, Any]] = []
    which: Which = Which.INCOMPLETE
    order: Order = Order.OLDEST

    def span(self, zone: str) -> Span:
        """Return the partitions; a range that names no zone is in `zone`."""
        return Span(self._range(zone), self.values, self.rows, self.which, self.order)

    def _range(self, zone: str) -> TimeRange | None:
        said = self.times
        if said is None:
            return None
        return TimeRange(said.first, said.last, said.step, said.zone or zone, said.parameter)


class StartBody(SpanBody, kw_only=True, forbid_unknown_fields=True, rename="camel"):
    """A backfill to start; the same under the same `id` is started once."""

    id: str | None = None
    concurrency: int = 1
    stop_after: int | None = None
