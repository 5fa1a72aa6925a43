// The occurrences that the cells of a trigger held at a past time, and those that had expired by then.
MATCH (t:Trigger {id: $trigger_id})
CALL (t) {
  MATCH (t)-[:HAS_CELL]->(cell:Cell)-[h:HOLDS|EXPIRED]->(what)
  WHERE h.noted_at <= $at
  RETURN cell.id AS cell_id, cell.value AS value, h, what,
    CASE WHEN h.expired_at <= $at THEN h.expired_at END AS expired_at
  UNION ALL
  // What a later firing consumed was still held.
  MATCH (t)-[:FIRED]->(f:Firing)
  WHERE f.fired_at > $at
  WITH t, f
  ORDER BY f.fired_at, f.key
  LIMIT $most
  MATCH (f)-[h:CONSUMED]->(what)
  WHERE h.noted_at <= $at
  RETURN trim(t.id + ' ' + coalesce(f.value, '')) AS cell_id, f.value AS value, h, what,
    null AS expired_at
}
WITH cell_id, value, h, what, expired_at
ORDER BY h.occurred_at DESC, h.key
LIMIT $most
OPTIONAL MATCH (j:Job)-[:HAS_RUN]->(what)
OPTIONAL MATCH (d:Dataset)-[:HAS_VERSION]->(what)
RETURN
  cell_id,
  value,
  h.condition_id AS condition_id,
  h.key AS key,
  h.status AS status,
  h.part AS part,
  h.occurred_at AS occurred_at,
  h.until AS until,
  expired_at,
  coalesce(j.fqn, d.name, what.name, what.text) AS name,
  coalesce(what.id, what.key) AS subject
ORDER BY cell_id, condition_id, occurred_at DESC, key
