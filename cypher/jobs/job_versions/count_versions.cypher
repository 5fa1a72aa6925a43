// Count the versions of a job.
CALL () {
  MATCH (r:Run)
  USING INDEX r:Run(job_key, job_version, created_at)
  WHERE r.job_key = $key AND r.job_version IS NOT NULL AND r.created_at IS NOT NULL
  RETURN DISTINCT r.job_version AS version
  UNION
  MATCH (:Job {key: $key})-[:HAS_VERSION]->(v:JobVersion)
  RETURN v.hash AS version
  UNION
  MATCH (r:Run)
  WHERE r.job_key = $key AND r.stream_versions IS NOT NULL
  UNWIND r.stream_versions AS version
  RETURN version
  UNION
  MATCH (:Job {key: $key})-[:HAS_DECLARATION]->(d:Declaration)
  UNWIND d.versions AS version
  RETURN version
}
RETURN count(*) AS total
