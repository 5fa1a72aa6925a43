"""Waits for sensors: how they begin, are settled by what pokes came to, and end."""

from lineagegraph.scheduling.sensors.begin import Begun, begin_wait

__all__ = ["Begun", "begin_wait"]
