// The names of all datasets, as far as the limit goes.
MATCH (d:Dataset)
WHERE d.hidden_at IS NULL
RETURN DISTINCT d.name AS name
ORDER BY name
LIMIT $limit
