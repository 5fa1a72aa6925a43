// Let everything that triggers have not consumed expire, as their reset says, until the next reset.
UNWIND $rows AS row
MATCH (t:Trigger {id: row.trigger_id})
SET t.reset_at = row.reset_at
WITH t
MATCH (t)-[:HAS_CELL]->(cell:Cell)-[h:HOLDS]->(what)
CREATE (cell)-[gone:EXPIRED]->(what)
SET gone = properties(h), gone.expired_at = coalesce($now, datetime.realtime())
DELETE h
