"""Who we are in OpenLineage events."""

PRODUCER = "https://github.com/lineagegraph/lineagegraph"
