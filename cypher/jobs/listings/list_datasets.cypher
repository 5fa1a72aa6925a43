// The datasets of a namespace, by name.
MATCH (d:Dataset)
WHERE d.namespace = $namespace AND d.name IS NOT NULL AND d.hidden_at IS NULL
WITH d.key AS key
ORDER BY d.namespace, d.name
SKIP $offset
LIMIT $limit
RETURN collect(key) AS rows
