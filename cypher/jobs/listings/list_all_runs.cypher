// The runs of all jobs that were created in a period, newest first; no states take all.
CALL () {
  WITH $states AS states
  WHERE states = []
  MATCH (r:Run)
  WHERE r.created_at >= coalesce($since, datetime({year: 1900}))
    AND r.created_at < coalesce($until, datetime({year: 9999}))
    AND NOT EXISTS { MATCH (j:Job) WHERE j.key = r.job_key AND j.hidden_at IS NOT NULL }
  RETURN r.id AS id, r.created_at AS created_at
  ORDER BY r.created_at DESC, id DESC
  LIMIT $offset + $limit
  UNION ALL
  // Most states are rare: all their runs are fewer than those of a long period.
  MATCH (r:Run)
  USING INDEX r:Run(state, state_at)
  WHERE r.state IN $states AND r.state_at IS NOT NULL
    AND r.created_at >= coalesce($since, datetime({year: 1900}))
    AND r.created_at < coalesce($until, datetime({year: 9999}))
    AND NOT EXISTS { MATCH (j:Job) WHERE j.key = r.job_key AND j.hidden_at IS NOT NULL }
  RETURN r.id AS id, r.created_at AS created_at
  ORDER BY r.created_at DESC, id DESC
  LIMIT $offset + $limit
}
WITH id, created_at
ORDER BY created_at DESC, id DESC
SKIP $offset
LIMIT $limit
RETURN collect(id) AS rows
