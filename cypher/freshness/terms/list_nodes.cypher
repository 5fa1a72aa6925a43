// Jobs and datasets by key, with the latest run of a job.
UNWIND $keys AS key
MATCH (n:Job|Dataset {key: key})
CALL (n) {
  OPTIONAL MATCH (r:Run)
  WHERE r.job_key = n.key AND r.created_at IS NOT NULL
  RETURN r
  ORDER BY r.job_key DESC, r.created_at DESC, r.id DESC
  LIMIT 1
}
RETURN collect({
  key: n.key,
  is_job: n:Job,
  namespace: n.namespace,
  name: coalesce(n.fqn, n.name),
  run_id: r.id,
  run_state: r.state,
  run_at: toString(coalesce(r.ended_at, r.state_at)),
  reason: r.reason,
  message: coalesce(r.message, r.error)
}) AS rows
