// The last time at which a job or dataset of a name was deleted, if none has come back.
MATCH (n:Job|Dataset)
WHERE n.hidden_at IS NOT NULL
  AND $name IN [n.name, n.fqn, n.namespace + ':' + coalesce(n.fqn, n.name)]
  AND ($namespace IS NULL OR n.namespace = $namespace)
  AND ($is_job IS NULL OR n:Job = $is_job)
WITH max(n.hidden_at) AS at
WHERE at IS NOT NULL
RETURN at
