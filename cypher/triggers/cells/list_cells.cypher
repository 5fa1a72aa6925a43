// The cells of a trigger with occurrences, held or expired at its last reset, and the database's time.
MATCH (t:Trigger {id: $trigger_id})-[:HAS_CELL]->(cell:Cell)
WHERE EXISTS { (cell)-[:HOLDS]->() }
  OR EXISTS { (cell)-[gone:EXPIRED]->() WHERE gone.expired_at >= t.begun_at }
RETURN cell.id AS id, cell.value AS value, datetime.realtime() AS now
ORDER BY value, id
LIMIT $most
