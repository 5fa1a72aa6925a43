"""The background: a daemon that decides and launches, and the worker process of each run."""

from lineagegraph.daemon.daemon import Daemon
from lineagegraph.daemon.launcher import Launcher
from lineagegraph.daemon.nudge import ALIVE, nudge_daemons

__all__ = ["ALIVE", "Daemon", "Launcher", "nudge_daemons"]
