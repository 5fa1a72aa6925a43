// Create or lock datasets, unhide them and those that are the same, and return their known facts.
UNWIND $rows AS row
MERGE (d:Dataset {key: row.key})
ON CREATE SET d.namespace = row.namespace, d.name = row.name
SET d.locked = true
REMOVE d.locked, d.hidden_at
WITH d
CALL (d) {
  MATCH (d)-[:SAME_AS]-(same:Dataset) WHERE same.hidden_at IS NOT NULL
  REMOVE same.hidden_at
}
RETURN d.key AS key, d.facts AS facts
ORDER BY key
