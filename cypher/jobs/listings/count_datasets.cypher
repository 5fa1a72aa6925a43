// Count the datasets of a namespace.
MATCH (d:Dataset)
WHERE d.namespace = $namespace AND d.name IS NOT NULL AND d.hidden_at IS NULL
RETURN count(*) AS total
