// Count the descendants of a job.
MATCH (:Job {key: $key})-[:PARENT_OF*1..]->(j:Job)
WHERE j.hidden_at IS NULL
RETURN count(*) AS total
