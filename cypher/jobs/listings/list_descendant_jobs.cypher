// The descendants of a job, by distance and then FQN.
MATCH path = (:Job {key: $key})-[:PARENT_OF*1..]->(j:Job)
WHERE j.hidden_at IS NULL
WITH j.key AS key
ORDER BY length(path), j.fqn, j.namespace, key
SKIP $offset
LIMIT $limit
RETURN collect(key) AS rows
