// The outcomes of ended waits of runs.
UNWIND $ids AS id
MATCH (:Run {id: id})-[w:WAITS_ON]->(s:Sensor)
WHERE w.outcome IS NOT NULL
RETURN id AS run_id, s.id AS sensor_id, w.outcome AS outcome, w.message AS message, w.attempt AS attempt
ORDER BY run_id, sensor_id
