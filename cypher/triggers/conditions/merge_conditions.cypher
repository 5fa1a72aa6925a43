// Create or update the conditions of triggers; existing ones keep their occurrences.
//
// They keep their next times too, as a due one would be lost, and an interval would begin again.
// One that its rule had earlier, and has again, counts from now on.
UNWIND $rows AS row
MATCH (t:Trigger {id: row.trigger_id})
OPTIONAL MATCH (t)-[:HAS_CONDITION]->(known:Condition {id: row.id})
WHERE coalesce(known.cron, '') = coalesce(row.properties.cron, '')
  AND coalesce(known.zone, '') = coalesce(row.properties.zone, '')
  AND coalesce(known.span, 0) = coalesce(row.properties.span, 0)
WITH t, row, known.next_at AS next_at, known IS NOT NULL AS is_known
MERGE (c:Condition {id: row.id})
SET c += row.properties,
  c.created_at = CASE WHEN is_known THEN c.created_at ELSE coalesce($now, datetime.realtime()) END,
  c.next_at = CASE WHEN is_known THEN next_at ELSE row.next_at END
MERGE (t)-[:HAS_CONDITION]->(c)
FOREACH (root IN CASE WHEN row.is_root THEN [c] ELSE [] END | MERGE (t)-[:WHEN]->(root))
