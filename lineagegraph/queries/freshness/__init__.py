"""Read models of freshness and its causes."""
