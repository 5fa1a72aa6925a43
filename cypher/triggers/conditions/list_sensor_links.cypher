// The sensors that the conditions of a trigger watch.
MATCH (:Trigger {id: $trigger_id})-[:HAS_CONDITION]->(c:Condition)-[:WATCHES]->(s:Sensor)
RETURN c.id AS condition_id, s.id AS sensor_id
ORDER BY condition_id
