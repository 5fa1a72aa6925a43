// The jobs that are no part of a Spark application, by FQN; one that nothing is above is none.
MATCH (j:Job)
WHERE j.fqn IS NOT NULL AND j.hidden_at IS NULL
  AND (NOT coalesce(j.kind, '') IN ['application', 'action'] OR NOT EXISTS { (:Job)-[:PARENT_OF]->(j) })
RETURN j.key AS key, j.namespace AS namespace, j.fqn AS name, j.kind AS kind
ORDER BY name, namespace, key
