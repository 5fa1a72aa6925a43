// Count the datasets of all namespaces.
MATCH (d:Dataset)
WHERE d.name IS NOT NULL AND d.hidden_at IS NULL
RETURN count(*) AS total
