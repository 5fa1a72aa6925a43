"""What starts runs: triggers, which are written, evaluated and fire in the graph; and backfills."""

from lineagegraph.scheduling.advance_backfill import advance_backfills
from lineagegraph.scheduling.begin_anew import reset_due
from lineagegraph.scheduling.by_hand import note_by_hand, redrive
from lineagegraph.scheduling.change_backfill import (
    cancel_backfill,
    pause_backfill,
    resume_backfill,
)
from lineagegraph.scheduling.commit import commit
from lineagegraph.scheduling.definition import withdraw_definition, write_definition
from lineagegraph.scheduling.external_event import say_event
from lineagegraph.scheduling.held import settle_held
from lineagegraph.scheduling.preview import preview_trigger
from lineagegraph.scheduling.react import (
    react,
    react_to_events,
    react_to_missed,
    react_to_times,
)
from lineagegraph.scheduling.start import Started
from lineagegraph.scheduling.start_backfill import preview_backfill, start_backfill
from lineagegraph.scheduling.write_trigger import delete_trigger, enable_trigger, write_trigger

__all__ = [
    "Started",
    "advance_backfills",
    "cancel_backfill",
    "commit",
    "delete_trigger",
    "enable_trigger",
    "note_by_hand",
    "pause_backfill",
    "preview_backfill",
    "preview_trigger",
    "react",
    "react_to_events",
    "react_to_missed",
    "react_to_times",
    "redrive",
    "reset_due",
    "resume_backfill",
    "say_event",
    "settle_held",
    "start_backfill",
    "withdraw_definition",
    "write_definition",
    "write_trigger",
]
