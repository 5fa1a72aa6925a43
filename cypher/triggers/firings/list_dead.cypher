// The firings that were given up, newest first.
MATCH (f:Firing {state: 'DEAD_LETTER'}) WHERE f.fired_at IS NOT NULL
WITH f ORDER BY f.fired_at DESC, f.key LIMIT $limit
MATCH (t:Trigger {id: f.trigger_id})
OPTIONAL MATCH (t)-[:STARTS]->(j:Job)
RETURN
  f.key AS key, t.id AS trigger_id, t.name AS trigger_name, j.fqn AS job, f.fired_at AS at,
  f.reason AS reason, f.kept_back AS kept_back
ORDER BY at DESC, key
