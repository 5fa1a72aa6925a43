// The job with a data flow that ran last, now or at a time; none if the newest runs are of other jobs.
MATCH (r:Run) WHERE r.created_at <= coalesce($at, datetime('9999-12-31T23:59:59Z'))
WITH r ORDER BY r.created_at DESC LIMIT 500
MATCH (j:Job {key: r.job_key})
WHERE j.hidden_at IS NULL AND EXISTS {
  MATCH (j)-[e:PRODUCES|FEEDS]-(:Dataset)
  WHERE $at IS NULL OR e.first_seen <= $at
}
WITH r, j ORDER BY r.created_at DESC, j.key LIMIT 1
RETURN j.key AS key
