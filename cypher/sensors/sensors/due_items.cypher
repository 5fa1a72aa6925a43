// The enabled triggers that watch sensors with new items, if the poke had the sensor's present cursor.
UNWIND $rows AS row
MATCH (s:Sensor {id: row.id})<-[:WATCHES]-(c:Condition)<-[:HAS_CONDITION]-(t:Trigger)
WHERE coalesce(s.cursor_number, 0) = row.after AND t.enabled
RETURN DISTINCT t.id AS id
ORDER BY id
