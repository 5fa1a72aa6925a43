"""Waits of whoever has a process of his own: a notebook, a script, a prompt."""

from lineagegraph.waits.waiting import Waited, wait, wait_for

__all__ = ["Waited", "wait", "wait_for"]
