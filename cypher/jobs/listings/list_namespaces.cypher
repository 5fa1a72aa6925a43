// The namespaces of jobs and datasets, and the created ones, by name.
CALL () {
  MATCH (j:Job)
  WHERE j.namespace IS NOT NULL AND j.fqn IS NOT NULL AND j.hidden_at IS NULL
  RETURN DISTINCT j.namespace AS name
  UNION
  MATCH (d:Dataset)
  WHERE d.namespace IS NOT NULL AND d.name IS NOT NULL AND d.hidden_at IS NULL
  RETURN DISTINCT d.namespace AS name
  UNION
  MATCH (n:Namespace)
  WHERE n.name IS NOT NULL AND n.hidden_at IS NULL
  RETURN n.name AS name
}
WITH name
ORDER BY name
SKIP $offset
LIMIT $limit
RETURN collect(name) AS rows
