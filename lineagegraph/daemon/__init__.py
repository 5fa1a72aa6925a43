"""The background: a daemon that decides and launches, and the worker process of each run."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lineagegraph.daemon.daemon import Daemon
    from lineagegraph.daemon.launcher import Launcher
    from lineagegraph.daemon.nudge import nudge_daemons

__all__ = ["Daemon", "Launcher", "nudge_daemons"]
_PLACES = {
    "Daemon": "daemon",
    "Launcher": "launcher",
    "nudge_daemons": "nudge",
}


def __getattr__(name: str) -> Any:
    """Import a name when it is asked for: sensor processes stay small without Spark."""
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)
