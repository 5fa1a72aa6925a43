"""Runs that are run again: with which code, which of their tasks, and what is other than it was."""

from lineagegraph.scheduling.reruns.original import namespace_of
from lineagegraph.scheduling.reruns.outcomes import Done, read_done
from lineagegraph.scheduling.reruns.plan import Plan, choices, plan_rerun
from lineagegraph.scheduling.reruns.start import Rerun, start_planned, start_rerun

__all__ = [
    "Done",
    "Plan",
    "Rerun",
    "choices",
    "namespace_of",
    "plan_rerun",
    "read_done",
    "start_planned",
    "start_rerun",
]
