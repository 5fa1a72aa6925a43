// Count the jobs without a parent that is not deleted.
MATCH (j:Job)
WHERE j.hidden_at IS NULL
  AND NOT EXISTS { MATCH (above:Job)-[:PARENT_OF*]->(j) WHERE above.hidden_at IS NULL }
  AND ($namespace IS NULL OR j.namespace = $namespace)
RETURN count(j) AS total
