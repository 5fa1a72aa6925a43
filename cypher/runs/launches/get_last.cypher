// The latest run of a job that was requested, and not by another run.
MATCH (r:Run)
WHERE r.job_key = $job_key AND r.created_at IS NOT NULL AND coalesce(r.submitted_at, r.queued_at) IS NOT NULL
  AND NOT EXISTS { (:Run)-[:ASKED_FOR]->(r) }
WITH r
ORDER BY r.job_key DESC, r.created_at DESC
LIMIT 1
RETURN
  r.id AS id,
  r.params AS params,
  coalesce(r.only, []) AS only,
  coalesce(r.ignore_upstream, false) AS ignore_upstream,
  coalesce(r.with_upstream, false) AS with_upstream,
  r.state IN ['PENDING', 'WAITING', 'RUNNING'] AS is_open
