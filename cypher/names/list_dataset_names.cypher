// The names of all datasets, as far as the limit goes.
MATCH (d:Dataset)
RETURN DISTINCT d.name AS name
ORDER BY name
LIMIT $limit
