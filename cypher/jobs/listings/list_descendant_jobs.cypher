// The jobs below a job: those nearer to it first, then by FQN.
MATCH path = (:Job {key: $key})-[:PARENT_OF*1..]->(j:Job)
WHERE j.hidden_at IS NULL
RETURN j.key AS key
ORDER BY length(path), j.fqn, j.namespace, key
SKIP $offset
LIMIT $limit
