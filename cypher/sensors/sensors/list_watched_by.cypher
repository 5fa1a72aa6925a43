// The sensors that a trigger watches.
MATCH (:Trigger {id: $trigger_id})-[:HAS_CONDITION]->(:Condition)-[:WATCHES]->(s:Sensor)
RETURN DISTINCT s.id AS id
ORDER BY id
