// The facts of datasets, which name facets by hash, in parts.
MATCH (d:Dataset) WHERE d.key > $after
WITH d ORDER BY d.key LIMIT $limit
RETURN d.key AS key, coalesce(d.facts, '') AS facts, [(:Import)-[t:TOUCHED]->(d) | coalesce(t.facts, '')] AS images
ORDER BY key
