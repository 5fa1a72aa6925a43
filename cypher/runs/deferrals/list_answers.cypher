// The answers of sensors that tasks of a run got in all its launches.
MATCH (:Run {id: $id})-[:PARENT_OF*1..]->(r:Run)
WHERE r.answers IS NOT NULL
RETURN DISTINCT r.id AS run_id, r.answers AS answers
ORDER BY run_id
