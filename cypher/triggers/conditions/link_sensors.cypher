// Let conditions watch sensors.
UNWIND $rows AS row
MATCH (c:Condition {id: row.id})
MATCH (s:Sensor {id: row.sensor_id})
MERGE (c)-[:WATCHES]->(s)
