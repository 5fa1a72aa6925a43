// Set the silence limit of a job in seconds; 0 turns it off.
MATCH (j:Job {key: $job_key})
SET j.silent_after = $seconds
