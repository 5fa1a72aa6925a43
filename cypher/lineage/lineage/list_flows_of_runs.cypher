// The reads and writes of jobs' runs: in a time span, for a partition, or only of the latest ended runs.
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
  LIMIT $most
  CALL (key, r) {
    MATCH (r)-[e:READS]->(d:Dataset)
    RETURN coalesce(d.same_as, d.key) AS source, key AS target, e
    UNION ALL
    MATCH (r)-[e:WRITES]->(:DatasetVersion)<-[:HAS_VERSION]-(d:Dataset)
    RETURN key AS source, coalesce(d.same_as, d.key) AS target, e
  }
  WITH source, target, e
  WHERE $at IS NULL OR e.first_seen <= $at
  RETURN source, target, min(e.first_seen) AS first_seen, max(e.last_seen) AS last_seen,
         count(*) AS runs
}
RETURN source, target, first_seen, last_seen, runs
ORDER BY source, target
