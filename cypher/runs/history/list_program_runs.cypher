// Runs of a pipeline, newest first: in some states, queued in a time range, of one version or of any.
MATCH (r:Run)
WHERE r.job_key = $key AND r.created_at >= $since AND r.created_at < $until
  AND coalesce(r.state, 'PENDING') IN $states
  AND ($version IS NULL OR coalesce(r.job_version, r.wanted_version) = $version)
RETURN r.id AS id, coalesce(r.state, 'PENDING') AS state, r.created_at AS created_at,
       r.started_at AS started_at, r.ended_at AS ended_at, r.params AS params, r.launch IS NOT NULL AS is_open
ORDER BY r.job_key DESC, r.created_at DESC, id DESC
LIMIT $limit
