"""OpenLineage events in, the graph out: extract facts, join them, write the projection."""
