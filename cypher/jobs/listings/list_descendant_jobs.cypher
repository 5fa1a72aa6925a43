// The descendants of a job, by distance and then FQN.
MATCH path = (:Job {key: $key})-[:PARENT_OF*1..]->(j:Job)
WHERE j.hidden_at IS NULL
RETURN j.key AS key
ORDER BY length(path), j.fqn, j.namespace, key
SKIP $offset
LIMIT $limit
