// The latest run of each partition of a job.
UNWIND $rows AS row
CALL (row) {
  MATCH (r:Run {job_key: $job_key, partition: row.partition})
  WHERE r.created_at IS NOT NULL
  WITH r ORDER BY r.created_at DESC, r.id DESC
  RETURN
    collect(r {.id, .state})[0] AS latest,
    'COMPLETED' IN collect(r.state) AS has_completed,
    count(r.launch) > 0 AS is_in_progress
}
RETURN collect({
  number: row.number,
  run_id: latest.id,
  state: latest.state,
  has_completed: has_completed,
  is_in_progress: is_in_progress
}) AS rows
