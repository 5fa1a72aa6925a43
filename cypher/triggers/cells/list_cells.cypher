// The non-empty cells of a trigger, and the database's time.
MATCH (:Trigger {id: $trigger_id})-[:HAS_CELL]->(cell:Cell)
WHERE EXISTS { (cell)-[:HOLDS]->() }
RETURN cell.id AS id, cell.value AS value, datetime.realtime() AS now
ORDER BY value, id
LIMIT $most
