"""Triggers: rules are written into the graph, evaluated there, and fire there, once."""

from lineagegraph.scheduling.commit import commit
from lineagegraph.scheduling.react import react, react_to_crons, react_to_missed
from lineagegraph.scheduling.write_trigger import delete_trigger, enable_trigger, write_trigger

__all__ = [
    "commit",
    "delete_trigger",
    "enable_trigger",
    "react",
    "react_to_crons",
    "react_to_missed",
    "write_trigger",
]
