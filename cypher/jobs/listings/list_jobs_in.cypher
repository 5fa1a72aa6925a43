// The jobs with this own namespace, by FQN.
MATCH (j:Job)
WHERE j.namespace = $namespace AND j.fqn IS NOT NULL AND j.hidden_at IS NULL
WITH j.key AS key
ORDER BY j.namespace, j.fqn, key
SKIP $offset
LIMIT $limit
RETURN collect(key) AS rows
