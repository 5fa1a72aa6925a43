// The enabled triggers with their rules, since when each has waited, and the job that it starts.
MATCH (t:Trigger)-[:STARTS]->(j:Job)
WHERE coalesce(t.enabled, true) AND t.rule IS NOT NULL AND j.hidden_at IS NULL
WITH t, j ORDER BY t.id LIMIT $limit
CALL (t) {
  OPTIONAL MATCH (t)-[:FIRED]->(f:Firing)
  RETURN max(f.fired_at) AS fired_at
}
RETURN
  t.id AS id, t.name AS name, t.rule AS rule, j.key AS job_key, j.fqn AS job,
  j.namespace AS namespace, coalesce(t.enabled_at, t.created_at) AS enabled_at, fired_at
ORDER BY id
