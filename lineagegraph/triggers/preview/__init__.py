"""Preview of a rule: a replay of a past time in memory, without writes."""

from lineagegraph.triggers.preview.preview import Cause, Foreseen, Preview, preview_trigger

__all__ = ["Cause", "Foreseen", "Preview", "preview_trigger"]
