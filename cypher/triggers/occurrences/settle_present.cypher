// Restart absence conditions whose target occurred; their earlier occurrences expire.
UNWIND $rows AS row
MATCH (t:Trigger)-[:HAS_CONDITION]->(c:Condition {id: row.condition_id})
WITH t, c, datetime(row.occurred_at) + duration({seconds: c.span}) AS next_at,
  coalesce($now, datetime.realtime()) AS now
WHERE next_at > coalesce(c.next_at, now)
SET c.next_at = next_at
WITH t, c, now
MATCH (t)-[:HAS_CELL]->(cell:Cell)-[h:HOLDS {condition_id: c.id}]->(what)
CREATE (cell)-[gone:EXPIRED]->(what)
SET gone = properties(h), gone.expired_at = now
DELETE h
