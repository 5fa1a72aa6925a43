// Lock a job, and return the request that a run was queued for; empty if it was queued without one.
MATCH (j:Job {key: $job_key})
SET j.locked = true
REMOVE j.locked
WITH j
MATCH (r:Run {id: $id})
RETURN CASE WHEN r.job_key = j.key THEN coalesce(r.request, '') ELSE '' END AS request
