// The silence limit of a job in seconds, if it has its own.
MATCH (j:Job {key: $job_key}) WHERE j.silent_after IS NOT NULL
RETURN j.silent_after AS seconds
