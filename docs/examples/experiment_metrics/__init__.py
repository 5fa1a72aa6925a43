"""Experiment metrics of a shop's website in three marketplaces, as OpenLineage events.

`python -m docs.examples.experiment_metrics` writes them, one a line; docs/experiment_metrics.md
tells what they are about.
"""

from docs.examples.experiment_metrics.events import make_events
from docs.examples.experiment_metrics.story import DAYS, REGIONS

__all__ = ["DAYS", "REGIONS", "make_events"]
