// The jobs and datasets with freshness terms.
MATCH (t:Terms)
RETURN DISTINCT t.node AS key
ORDER BY key
