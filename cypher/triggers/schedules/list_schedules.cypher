// Triggers by name, with their programs.
UNWIND $ids AS id
MATCH (t:Trigger {id: id})-[:STARTS]->(j:Job)
WHERE t.rule IS NOT NULL
RETURN
  t.id AS id,
  t.name AS name,
  j.namespace AS namespace,
  coalesce(j.application, '') AS application,
  j.key AS job_key,
  j.fqn AS program,
  t.rule AS rule,
  t.enabled AS enabled,
  coalesce(t.origin, 'definition') AS origin,
  coalesce(t.enabled_at, t.suspended_at, t.created_at) AS updated_at
ORDER BY name, id
