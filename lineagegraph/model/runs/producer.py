"""The producer URI of our OpenLineage events."""

PRODUCER = "https://github.com/lineagegraph/lineagegraph"
