// Create or lock datasets, and return their known facts; hidden ones return, and what was hidden with them.
UNWIND $rows AS row
MERGE (d:Dataset {key: row.key})
ON CREATE SET d.namespace = row.namespace, d.name = row.name
SET d.locked = true
WITH d, d.hidden_at IS NOT NULL AS was_hidden
REMOVE d.locked, d.hidden_at
WITH d, was_hidden
CALL (d, was_hidden) {
  WITH d WHERE was_hidden
  MATCH (d)-[:SAME_AS]-(same:Dataset)
  REMOVE same.hidden_at
}
RETURN d.key AS key, d.facts AS facts
ORDER BY key
