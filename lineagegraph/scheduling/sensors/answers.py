"""What sensors were found to be, for all who wait: one transaction for any number of them."""

from collections.abc import Sequence
from datetime import datetime, timedelta

import msgspec

from lineagegraph.graph import Transaction
from lineagegraph.routes import Route
from lineagegraph.scheduling.sensors.conclude import Ended, conclude
from lineagegraph.scheduling.sensors.poke import Settled
from lineagegraph.scheduling.sensors.turned import react_to_turned
from lineagegraph.store import sensors
from lineagegraph.store.sensors import MetWait


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What a sensor was at a time; `message` says it of the waits that this ends.

    An answer that is not true ends them too where it is `final`: it will never be true.
    """

    id: str
    began_at: datetime
    is_true: bool
    message: str = ""
    final: bool = False
    is_latest: bool = True


def settle_answers(
    tx: Transaction,
    answers: Sequence[Answer],
    *,
    news: timedelta,
    routes: Sequence[Route],
    now: datetime | None,
) -> Settled:
    """End the waits that answers are for, and fire what turned true."""
    rows = [msgspec.structs.asdict(one) for one in sorted(answers, key=lambda one: one.id)]
    ending = [row for row in rows if row["is_true"] or row["final"]]
    met = sensors.settle_met(tx, rows=ending, now=now)
    woken, started = conclude(tx, [_ended(one) for one in met], news=news, routes=routes, now=now)
    fired = react_to_turned(tx, [row for row in rows if row["is_latest"]], now)
    demand = sensors.settle_demand(tx, ids=[row["id"] for row in ending], now=now)
    return Settled(
        waits=len(met),
        kept=frozenset(one.id for one in demand if one.is_kept),
        dropped=frozenset(one.id for one in demand if not one.is_kept),
        woken=tuple(woken),
        started=(*started, *fired),
    )


def _ended(one: MetWait) -> Ended:
    is_met = one.state == "success"
    return Ended.of(
        one,
        event=one.state,
        reason=None if is_met else "SENSOR_FAILED",
        message=one.message,
        attempt=one.attempt,
        function=one.on_success if is_met else one.on_failure,
        at=one.now,
    )
