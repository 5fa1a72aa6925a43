// The jobs outside Spark applications, by FQN; a job without a parent is never part of one.
MATCH (j:Job)
WHERE j.fqn IS NOT NULL AND j.hidden_at IS NULL
  AND (NOT coalesce(j.kind, '') IN ['application', 'action'] OR NOT EXISTS { (:Job)-[:PARENT_OF]->(j) })
RETURN j.key AS key, j.namespace AS namespace, j.fqn AS name, j.kind AS kind
ORDER BY name, namespace, key
