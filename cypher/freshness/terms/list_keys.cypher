// The jobs and datasets that have terms of freshness.
MATCH (t:Terms)
RETURN DISTINCT t.node AS key
ORDER BY key
