// Say after how many seconds without a word a running run of a job counts as dead; 0 is never.
MATCH (j:Job {key: $job_key})
SET j.silent_after = $seconds
