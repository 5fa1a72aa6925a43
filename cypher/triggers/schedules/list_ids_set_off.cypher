// The triggers with a condition on a job's run reaching one of some states.
MATCH (j:Job {key: $key})<-[:WATCHES]-(c:Condition {operator: 'STATUS'})
WHERE any(status IN c.statuses WHERE status IN $statuses)
MATCH (t:Trigger)-[:HAS_CONDITION]->(c)
WHERE t.deleted_at IS NULL
RETURN DISTINCT t.id AS id
ORDER BY id
