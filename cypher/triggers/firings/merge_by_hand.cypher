// Record manual starts of triggers' jobs; on request they consume the held occurrences.
UNWIND $rows AS row
MATCH (t:Trigger {id: row.trigger_id})
SET t.locked = true
REMOVE t.locked
WITH row, t
MATCH (r:Run {id: row.run_id})
MERGE (f:Firing {key: row.key})
ON CREATE SET
  f.trigger_id = t.id,
  f.fired_at = coalesce($now, datetime.realtime()),
  f.started_at = coalesce($now, datetime.realtime()),
  f.reason = row.reason,
  f.depth = 0,
  f.root = row.key,
  f.state = 'PENDING'
MERGE (t)-[:FIRED]->(f)
MERGE (f)-[:STARTED]->(r)
WITH row, t, f
CALL (row, t, f) {
  MATCH (t)-[:HAS_CELL]->(cell:Cell)-[h:HOLDS]->(what)
  WHERE row.consume
  // Chosen is what counts: not what is below a `not`, nor what has expired.
  CREATE (f)-[c:CONSUMED]->(what)
  SET c = properties(h),
      c.chosen = coalesce(h.until >= coalesce($now, datetime.realtime()), true)
        AND NOT EXISTS {
          (:Condition {operator: 'NOT'})-[:OPERAND*]->(:Condition {id: h.condition_id})
        }
  DELETE h
  RETURN count(h) AS taken
}
RETURN sum(taken) AS consumed
