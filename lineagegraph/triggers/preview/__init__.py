"""What a rule would have fired in a time that is over: read, replayed in memory, never written."""

from lineagegraph.triggers.preview.preview import Cause, Foreseen, Preview, preview_trigger

__all__ = ["Cause", "Foreseen", "Preview", "preview_trigger"]
