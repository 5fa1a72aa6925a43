// How many jobs are right below a job.
MATCH (:Job {key: $key})-[:PARENT_OF]->(j:Job)
RETURN count(*) AS total
