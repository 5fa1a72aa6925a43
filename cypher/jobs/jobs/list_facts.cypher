// The facts that runs and declarations of jobs reported.
UNWIND $keys AS key
MATCH (j:Job {key: key})-[:HAS_RUN|HAS_DECLARATION]->(r:Run|Declaration)
WHERE r.facts IS NOT NULL
RETURN key AS job_key, r:Run AS is_run, r.facts AS facts
