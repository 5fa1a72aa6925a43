// The jobs one hop upstream: producers of the inputs of some jobs.
UNWIND $keys AS key
MATCH (fed:Job {key: key})<-[:FEEDS]-(:Dataset)<-[:SAME_AS*0..1]-(:Dataset)<-[:PRODUCES]-(j:Job)
RETURN DISTINCT j.key AS job_key
ORDER BY job_key
