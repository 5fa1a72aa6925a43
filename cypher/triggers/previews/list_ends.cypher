// The newest ended runs that match each condition of a preview.
UNWIND $rows AS row
CALL (row) {
  UNWIND row.job_keys AS job_key
  MATCH (j:Job {key: job_key})
  WHERE coalesce(row.application = j.application, row.application IS NULL)
  UNWIND row.statuses AS status
  CALL (row, job_key, status) {
    MATCH (r:Run)
    WHERE r.job_key = job_key AND r.state = status AND r.ended_at >= $since AND r.ended_at <= $until
      AND coalesce(row.version = r.version, row.version IS NULL)
    RETURN r ORDER BY r.ended_at DESC LIMIT $most
  }
  RETURN j, r ORDER BY r.ended_at DESC LIMIT $most
}
WITH row, j, r ORDER BY r.ended_at, r.id, row.condition_id
RETURN collect({
  condition_id: row.condition_id,
  subject: 'run',
  subject_id: r.id,
  name: j.fqn,
  simple_name: j.simple_name,
  job: j.fqn,
  run_id: r.id,
  status: r.state,
  occurred_at: toString(r.ended_at),
  judged_at: toString(r.ended_at),
  part: r.id,
  partition: r.partition,
  params: r.params,
  emitted: r.emitted,
  reported: r.reported
}) AS rows
