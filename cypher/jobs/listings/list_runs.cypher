// The runs of a job, newest first.
MATCH (r:Run)
WHERE r.job_key = $key AND r.created_at IS NOT NULL
WITH r.id AS id
ORDER BY r.job_key DESC, r.created_at DESC, id DESC
SKIP $offset
LIMIT $limit
RETURN collect(id) AS rows
