// The jobs that a run skips, by the skip list as of its start.
MATCH (:Run {id: $run_id})-[h:HEEDS]->(s:Skip)
UNWIND h.job_keys AS job_key
RETURN job_key, s.id AS skip_id, s.reason AS reason, s.author AS author, s.expires_at AS expires_at
ORDER BY job_key
