// The jobs one hop downstream: readers of the outputs of some jobs.
UNWIND $rows AS row
MATCH (j:Job {key: row.job_key})-[:PRODUCES]->(:Dataset)-[:SAME_AS*0..1]->(:Dataset)-[:FEEDS]->(fed:Job)
WITH DISTINCT row.run_id AS run_id, fed.key AS job_key
RETURN run_id, job_key
ORDER BY run_id, job_key
