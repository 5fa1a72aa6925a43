// The newest runs of jobs: in a time span, for a partition, or only the latest ended ones.
UNWIND $keys AS key
CALL (key) {
  MATCH (r:Run)
  WHERE r.job_key = key
    AND r.created_at >= coalesce($since, datetime('0001-01-01T00:00:00Z'))
    AND r.created_at <= coalesce($at, datetime('9999-12-31T23:59:59Z'))
    AND (NOT $ended OR r.ended_at <= coalesce($at, datetime('9999-12-31T23:59:59Z'))
      // It had ended then, and began again later.
      OR any(end IN [r.complete_time, r.fail_time, r.abort_time] WHERE end <= $at))
    AND all(part IN $parts
      WHERE r.partition STARTS WITH '{' + part OR r.partition CONTAINS ',' + part)
  WITH r
  ORDER BY r.job_key DESC, r.created_at DESC, r.id DESC
  LIMIT 1
  RETURN r.id AS run
}
RETURN key, run
ORDER BY key
