// After how many seconds without a word a running run of a job counts as dead, if the job says so.
MATCH (j:Job {key: $job_key}) WHERE j.silent_after IS NOT NULL
RETURN j.silent_after AS seconds
