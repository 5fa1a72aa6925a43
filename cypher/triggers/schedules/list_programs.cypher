// The programs among jobs: pipelines and tasks with a definition.
UNWIND $rows AS row
MATCH (j:Job {namespace: row.namespace, fqn: row.name})
WHERE j.application IS NOT NULL AND j.kind IN ['pipeline', 'task']
RETURN DISTINCT
  j.key AS key, j.namespace AS namespace, j.application AS application, j.fqn AS name, j.kind AS kind,
  j.current_version IS NOT NULL AS can_start,
  j.hidden_at IS NOT NULL
    OR EXISTS { (w:Job)-[:PARENT_OF*0..]->(j) WHERE w.withdrawn_at IS NOT NULL } AS is_gone
ORDER BY key
