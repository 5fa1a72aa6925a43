// The durations, costs and rows of the newest completed runs of jobs, in the order of their times.
UNWIND $keys AS key
CALL (key) {
  MATCH (r:Run)
  // The index of states has no order of creation: with it, all runs would be sorted.
  USING INDEX r:Run(job_key, created_at)
  WHERE r.job_key = key AND r.created_at IS NOT NULL AND r.state = 'COMPLETED'
    AND r.started_at IS NOT NULL AND r.ended_at IS NOT NULL
  WITH r
  ORDER BY r.job_key DESC, r.created_at DESC
  LIMIT $limit
  RETURN r
  ORDER BY r.created_at, r.id
}
// Rows that a run and its descendants wrote; a walk that few measures need.
CALL (r) {
  OPTIONAL MATCH (r)-[:PARENT_OF*0..]->(:Run)-[w:WRITES]->()
  WHERE $with_rows AND w.row_count IS NOT NULL
  RETURN CASE count(w) WHEN 0 THEN null ELSE sum(w.row_count) END AS row_count
}
RETURN collect({
  key: key,
  run: r.id,
  at: toString(r.created_at),
  seconds: duration.inSeconds(r.started_at, r.ended_at).milliseconds / 1000.0,
  cost: r.cost,
  row_count: row_count
}) AS rows
