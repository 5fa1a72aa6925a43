// Extend freshness of nodes, and return those that have just become fresh.
UNWIND $rows AS row
MATCH (t:Trigger)-[:HAS_CONDITION]->(c:Condition {id: row.condition_id})
WITH t, c, datetime(row.occurred_at) AS at, c.fresh_until AS was
WITH t, c, at + duration({seconds: c.lasts}) AS until, was IS NULL OR at > was AS begins, was
WHERE until > coalesce(was, coalesce($now, datetime.realtime()))
SET c.fresh_until = until
WITH t, c, until, begins
CALL (t, c, until) {
  MATCH (t)-[:HAS_CELL]->(:Cell)-[h:HOLDS {condition_id: c.id}]->()
  SET h.until = until
}
WITH c, begins WHERE begins
RETURN c.id AS id
ORDER BY id
