"""Triggers: rules are written into the graph, evaluated there, and fire there, once."""

from lineagegraph.scheduling.by_hand import note_by_hand, redrive
from lineagegraph.scheduling.commit import commit
from lineagegraph.scheduling.definition import write_definition
from lineagegraph.scheduling.held import settle_held
from lineagegraph.scheduling.react import (
    react,
    react_to_events,
    react_to_missed,
    react_to_times,
    reset_due,
)
from lineagegraph.scheduling.start import Started
from lineagegraph.scheduling.write_trigger import delete_trigger, enable_trigger, write_trigger

__all__ = [
    "Started",
    "commit",
    "delete_trigger",
    "enable_trigger",
    "note_by_hand",
    "react",
    "react_to_events",
    "react_to_missed",
    "react_to_times",
    "redrive",
    "reset_due",
    "settle_held",
    "write_definition",
    "write_trigger",
]
