// Count the jobs without a parent.
MATCH (j:Job)
WHERE NOT (:Job)-[:PARENT_OF]->(j) AND j.hidden_at IS NULL
  AND ($namespace IS NULL OR j.namespace = $namespace)
RETURN count(j) AS total
