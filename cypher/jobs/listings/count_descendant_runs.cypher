// Count the descendants of a run.
MATCH (:Run {id: $id})-[:PARENT_OF*1..]->(r:Run)
WHERE r.id <> $id
RETURN count(DISTINCT r) AS total
