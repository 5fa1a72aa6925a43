// The versions of a job, newest first: versions of runs, and versions of definitions.
CALL () {
  MATCH (r:Run)
  USING INDEX r:Run(job_key, job_version, created_at)
  WHERE r.job_key = $key AND r.job_version IS NOT NULL AND r.created_at IS NOT NULL
  RETURN r.job_version AS version, min(r.created_at) AS created_at
  UNION ALL
  MATCH (:Job {key: $key})-[:HAS_VERSION]->(v:JobVersion)
  RETURN v.hash AS version, v.created_at AS created_at
}
WITH version, min(created_at) AS created_at
RETURN version, created_at
ORDER BY created_at DESC, version
SKIP $offset
LIMIT $limit
