// The runs of all jobs that were created in a period, newest first; no states take all.
MATCH (r:Run)
WHERE r.created_at >= $since AND r.created_at < $until
  AND ($states = [] OR coalesce(r.state, 'PENDING') IN $states)
  AND NOT EXISTS { MATCH (j:Job) WHERE j.key = r.job_key AND j.hidden_at IS NOT NULL }
WITH r.id AS id
ORDER BY r.created_at DESC, id DESC
SKIP $offset
LIMIT $limit
RETURN collect(id) AS rows
