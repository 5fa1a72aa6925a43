// All jobs, by FQN.
MATCH (j:Job)
WHERE j.fqn IS NOT NULL AND j.hidden_at IS NULL
WITH j.key AS key
ORDER BY j.fqn, j.namespace, key
SKIP $offset
LIMIT $limit
RETURN collect(key) AS rows
