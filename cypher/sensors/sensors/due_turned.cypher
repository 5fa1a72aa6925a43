// The triggers whose conditions store another answer of their sensors than the new one.
UNWIND $rows AS row
MATCH (s:Sensor {id: row.id})<-[:WATCHES]-(c:Condition)<-[:HAS_CONDITION]-(t:Trigger)
WHERE coalesce(c.is_true, false) <> row.is_true
RETURN DISTINCT t.id AS id
ORDER BY id
