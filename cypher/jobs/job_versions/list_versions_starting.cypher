// The versions of a job by the start of their hash.
CALL () {
  MATCH (r:Run)
  USING INDEX r:Run(job_key, job_version, created_at)
  WHERE r.job_key = $key AND r.job_version STARTS WITH $prefix AND r.created_at IS NOT NULL
  RETURN r.job_version AS version, min(r.created_at) AS created_at
  UNION ALL
  MATCH (:Job {key: $key})-[:HAS_VERSION]->(v:JobVersion)
  WHERE v.hash STARTS WITH $prefix
  RETURN v.hash AS version, v.created_at AS created_at
}
WITH version, min(created_at) AS created_at
RETURN version, created_at
ORDER BY version
