// A run of a pipeline, of one version or of any.
MATCH (r:Run {id: $id})
USING INDEX r:Run(id)
WHERE r.job_key = $key AND r.created_at IS NOT NULL
  AND ($version IS NULL OR coalesce(r.job_version, r.wanted_version) = $version)
RETURN r.id AS id, coalesce(r.state, 'PENDING') AS state, r.created_at AS created_at,
       r.started_at AS started_at, r.ended_at AS ended_at, r.params AS params, r.launch IS NOT NULL AS is_open
