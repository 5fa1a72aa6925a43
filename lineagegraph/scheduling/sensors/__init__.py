"""Waits for sensors: how they begin, are settled by what pokes came to, and end."""

from lineagegraph.scheduling.end_waits import end_waits
from lineagegraph.scheduling.sensors.alone import Alone, start_wait
from lineagegraph.scheduling.sensors.attempts import settle_timeouts
from lineagegraph.scheduling.sensors.begin import Begun, begin_wait
from lineagegraph.scheduling.sensors.cancel import cancel_run
from lineagegraph.scheduling.sensors.from_graph import settle_from_graph
from lineagegraph.scheduling.sensors.idle import make_exclusive, place_sensors, release_idle
from lineagegraph.scheduling.sensors.poke import Poke, Settled
from lineagegraph.scheduling.sensors.pokes import settle_pokes

__all__ = [
    "Alone",
    "Begun",
    "Poke",
    "Settled",
    "begin_wait",
    "cancel_run",
    "end_waits",
    "make_exclusive",
    "place_sensors",
    "release_idle",
    "settle_from_graph",
    "settle_pokes",
    "settle_timeouts",
    "start_wait",
]
