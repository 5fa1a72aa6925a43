// The durations and costs of the newest completed runs of jobs, in the order of their times.
UNWIND $keys AS key
CALL (key) {
  MATCH (r:Run)
  WHERE r.job_key = key AND r.created_at IS NOT NULL
  WITH r
  ORDER BY r.job_key DESC, r.created_at DESC
  LIMIT $limit
  WITH r
  WHERE r.state = 'COMPLETED' AND r.started_at IS NOT NULL AND r.ended_at IS NOT NULL
  RETURN r
  ORDER BY r.created_at, r.id
}
RETURN collect({
  key: key,
  run: r.id,
  at: toString(r.created_at),
  seconds: duration.inSeconds(r.started_at, r.ended_at).milliseconds / 1000.0,
  cost: r.cost
}) AS rows
