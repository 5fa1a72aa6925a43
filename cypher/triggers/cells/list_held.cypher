// The occurrences in the cells of a trigger, newest first per condition; those of the last reset too.
MATCH (t:Trigger {id: $trigger_id})-[:HAS_CELL]->(cell:Cell)
CALL (t, cell) {
  MATCH (cell)-[h:HOLDS]->(what)
  RETURN h, what, null AS expired_at
  UNION ALL
  MATCH (cell)-[h:EXPIRED]->(what)
  WHERE h.expired_at >= t.begun_at
  RETURN h, what, h.expired_at AS expired_at
}
WITH cell, h, what, expired_at ORDER BY h.occurred_at DESC, h.key
WITH cell, h.condition_id AS condition_id, expired_at IS NULL AS is_held,
  count(h) AS total, collect({h: h, what: what, expired_at: expired_at})[..$most] AS some
UNWIND some AS one
WITH cell, condition_id, total, one.h AS h, one.what AS what, one.expired_at AS expired_at
OPTIONAL MATCH (j:Job)-[:HAS_RUN]->(what)
OPTIONAL MATCH (d:Dataset)-[:HAS_VERSION]->(what)
RETURN
  cell.id AS cell_id,
  condition_id,
  total,
  h.status AS status,
  h.occurred_at AS occurred_at,
  h.until AS until,
  expired_at,
  coalesce(j.fqn, d.name, what.name, what.text) AS name,
  coalesce(what.id, what.key) AS subject
ORDER BY cell_id, condition_id, occurred_at
