"""Freshness: which task of a batch starts, which need not, and what the others wait for."""

from lineagegraph.scheduling.freshness.asking import Entering
from lineagegraph.scheduling.freshness.enter import enter
from lineagegraph.scheduling.freshness.keep_waits import keep_waits
from lineagegraph.scheduling.freshness.settle_due import settle_due

__all__ = ["Entering", "enter", "keep_waits", "settle_due"]
