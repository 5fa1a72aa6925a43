"""The engine of one run: executes a pipeline version and reports OpenLineage events."""
