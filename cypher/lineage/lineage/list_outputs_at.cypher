// The datasets that a job and its descendants had written by a time, under all of their names.
MATCH (:Job {key: $key})-[:PARENT_OF*0..]->(j:Job)
WHERE j.hidden_at IS NULL
MATCH (j)-[e:PRODUCES]->(d:Dataset)
WHERE d.hidden_at IS NULL AND e.first_seen <= $at
MATCH (d)-[:SAME_AS*0..1]->(same:Dataset)
RETURN DISTINCT same.key AS key
ORDER BY key
