// The triggers with firings that were given up, and the number of these.
MATCH (f:Firing {state: 'DEAD_LETTER'}) WHERE f.fired_at IS NOT NULL
MATCH (t:Trigger {id: f.trigger_id})-[:STARTS]->(j:Job) WHERE t.deleted_at IS NULL
RETURN t.id AS id, t.name AS name, j.fqn AS job, count(f) AS count, max(f.fired_at) AS at
ORDER BY at DESC, id
