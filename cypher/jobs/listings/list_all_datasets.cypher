// The datasets of all namespaces, by name.
MATCH (d:Dataset)
WHERE d.name IS NOT NULL AND d.hidden_at IS NULL
WITH d.key AS key
ORDER BY d.name, d.namespace
SKIP $offset
LIMIT $limit
RETURN collect(key) AS rows
