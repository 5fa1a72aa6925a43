// Create or lock datasets, and return their known facts; hidden ones return, and what was hidden with them.
//
// $shown_by is an import, which keeps since when they were hidden, or '' to leave hidden ones hidden.
UNWIND $rows AS row
MERGE (d:Dataset {key: row.key})
ON CREATE SET d.namespace = row.namespace, d.name = row.name
SET d.locked = true
WITH d
REMOVE d.locked
WITH d, coalesce(d.hidden_at, d.was_hidden_at) IS NOT NULL AND coalesce($shown_by <> '', true) AS is_shown
CALL (d, is_shown) {
  WITH d WHERE is_shown
  MATCH (d)-[:SAME_AS*0..1]-(same:Dataset)
  WITH DISTINCT same
  SET
    same.was_hidden_at = CASE WHEN $shown_by IS NOT NULL THEN coalesce(same.hidden_at, same.was_hidden_at) END,
    same.shown_by = CASE
      WHEN $shown_by IS NOT NULL AND same.hidden_at IS NOT NULL THEN $shown_by
      WHEN $shown_by IS NOT NULL THEN same.shown_by
    END
  REMOVE same.hidden_at
}
RETURN d.key AS key, d.facts AS facts
ORDER BY key
