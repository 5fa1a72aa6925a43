// The sensors that enabled triggers watch.
MATCH (:Trigger {enabled: true})-[:HAS_CONDITION]->(:Condition)-[:WATCHES]->(s:Sensor)
RETURN DISTINCT s.id AS id
ORDER BY id
