// The latest run of each partition of a job.
UNWIND $rows AS row
CALL (row) {
  MATCH (r:Run {job_key: $job_key, partition: row.partition})
  WHERE r.created_at IS NOT NULL
  WITH r ORDER BY r.created_at DESC, r.id DESC
  WITH r, r.state = 'COMPLETED' AS is_completed, size(coalesce(r.only, [])) > 0 AS is_partial
  RETURN
    collect(r {.id, .state})[0] AS latest,
    count(CASE WHEN is_completed AND NOT is_partial THEN 1 END) > 0 AS has_completed,
    collect(CASE WHEN is_completed AND is_partial THEN r.id END) AS partial,
    count(r.launch) > 0 AS is_in_progress
}
RETURN collect({
  number: row.number,
  run_id: latest.id,
  state: latest.state,
  has_completed: has_completed,
  partial: partial,
  is_in_progress: is_in_progress
}) AS rows
