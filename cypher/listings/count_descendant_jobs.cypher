// How many jobs are below a job.
MATCH (:Job {key: $key})-[:PARENT_OF*1..]->(j:Job)
RETURN count(*) AS total
