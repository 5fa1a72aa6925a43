// The jobs that produce what jobs read: those one hop up.
UNWIND $keys AS key
MATCH (fed:Job {key: key})<-[:FEEDS]-(:Dataset)<-[:PRODUCES]-(j:Job)
RETURN DISTINCT j.key AS job_key
ORDER BY job_key
