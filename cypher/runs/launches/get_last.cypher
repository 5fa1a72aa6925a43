// The latest requested run of a job.
MATCH (r:Run)
WHERE r.job_key = $job_key AND r.created_at IS NOT NULL AND coalesce(r.submitted_at, r.queued_at) IS NOT NULL
WITH r
ORDER BY r.job_key DESC, r.created_at DESC
LIMIT 1
RETURN
  r.id AS id,
  r.params AS params,
  coalesce(r.only, []) AS only,
  r.state IN ['PENDING', 'WAITING', 'RUNNING'] AS is_open
