// The namespaces of jobs and of datasets, by name.
CALL () {
  MATCH (j:Job)
  WHERE j.namespace IS NOT NULL AND j.fqn IS NOT NULL
  RETURN DISTINCT j.namespace AS name
  UNION
  MATCH (d:Dataset)
  WHERE d.namespace IS NOT NULL AND d.name IS NOT NULL
  RETURN DISTINCT d.namespace AS name
}
RETURN name
ORDER BY name
SKIP $offset
LIMIT $limit
