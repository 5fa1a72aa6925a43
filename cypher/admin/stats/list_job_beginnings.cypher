// The time of the first report of a run of each job; null for jobs without runs.
MATCH (j:Job)
WHERE j.fqn IS NOT NULL AND j.hidden_at IS NULL
CALL (j) {
  MATCH (r:Run)
  WHERE r.job_key = j.key AND r.created_at IS NOT NULL
  WITH r
  ORDER BY r.job_key, r.created_at
  LIMIT 1
  RETURN collect(r.created_at)[0] AS created_at
}
RETURN created_at
ORDER BY created_at
