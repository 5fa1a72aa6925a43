// The versions of a job by the start of their hash.
CALL () {
  MATCH (r:Run)
  USING INDEX r:Run(job_key, job_version, created_at)
  WHERE r.job_key = $key AND r.job_version STARTS WITH $prefix AND r.created_at IS NOT NULL
  RETURN r.job_version AS version, min(r.created_at) AS created_at, null AS since
  UNION ALL
  MATCH (:Job {key: $key})-[:HAS_VERSION]->(v:JobVersion)
  WHERE v.hash STARTS WITH $prefix
  RETURN v.hash AS version, v.created_at AS created_at, null AS since
  UNION ALL
  MATCH (r:Run)
  WHERE r.job_key = $key AND r.stream_versions IS NOT NULL
  UNWIND range(0, size(r.stream_versions) - 1) AS i
  WITH r.stream_versions[i] AS version, datetime(r.stream_times[i]) AS since
  WHERE version STARTS WITH $prefix
  RETURN version, null AS created_at, since
  UNION ALL
  MATCH (:Job {key: $key})-[:HAS_DECLARATION]->(d:Declaration)
  UNWIND range(0, size(d.versions) - 1) AS i
  WITH d.versions[i] AS version, datetime(d.version_times[i]) AS created_at
  WHERE version STARTS WITH $prefix
  RETURN version, created_at, null AS since
}
// A run of a stream is older than its later versions.
WITH version, coalesce(min(since), min(created_at)) AS created_at
RETURN version, created_at
ORDER BY version
