// Count the children of a run.
MATCH (:Run {id: $id})-[:PARENT_OF]->(r:Run)
WHERE r.id <> $id
RETURN count(*) AS total
