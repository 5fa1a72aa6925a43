// Count the children of a job.
MATCH (:Job {key: $key})-[:PARENT_OF]->(j:Job)
WHERE j.hidden_at IS NULL
RETURN count(*) AS total
