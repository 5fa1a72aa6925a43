// The children of a job, by FQN.
MATCH (:Job {key: $key})-[:PARENT_OF]->(j:Job)
WHERE j.hidden_at IS NULL
WITH j.key AS key
ORDER BY j.fqn, j.namespace, key
SKIP $offset
LIMIT $limit
RETURN collect(key) AS rows
