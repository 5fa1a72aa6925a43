// The conditions that watch a job, with their triggers.
MATCH (j:Job {key: $key})<-[:WATCHES]-(c:Condition)<-[:HAS_CONDITION]-(t:Trigger)
WHERE t.deleted_at IS NULL
RETURN t.id AS trigger_id, c.id AS condition_id, j.fqn AS job
ORDER BY trigger_id, condition_id
