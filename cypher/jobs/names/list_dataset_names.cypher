// The names of all datasets, up to a limit.
MATCH (d:Dataset)
WHERE d.hidden_at IS NULL
RETURN DISTINCT d.name AS name
ORDER BY name
LIMIT $limit
