// The name of a namespace if it exists: created, or used by a job or dataset.
OPTIONAL MATCH (n:Namespace {name: $name})
WITH $name AS name, n.name IS NOT NULL AND n.hidden_at IS NULL AS was_created
WHERE was_created
  OR EXISTS { MATCH (j:Job) WHERE j.namespace = name AND j.fqn IS NOT NULL AND j.hidden_at IS NULL }
  OR EXISTS {
    MATCH (d:Dataset) WHERE d.namespace = name AND d.name IS NOT NULL AND d.hidden_at IS NULL
  }
RETURN name
