// Expire unconsumed occurrences from before a trigger's reset, and set the next reset.
UNWIND $rows AS row
MATCH (t:Trigger {id: row.trigger_id})
SET t.begun_at = row.begun_at, t.reset_at = row.reset_at
WITH t
MATCH (t)-[:HAS_CELL]->(cell:Cell)-[h:HOLDS]->(what)
WHERE h.occurred_at.epochMillis < t.begun_at.epochMillis
CREATE (cell)-[gone:EXPIRED]->(what)
SET gone = properties(h), gone.expired_at = coalesce($now, datetime.realtime())
DELETE h
