// The versions of a job, newest first: versions of runs, and versions of definitions.
CALL () {
  MATCH (r:Run)
  USING INDEX r:Run(job_key, job_version, created_at)
  WHERE r.job_key = $key AND r.job_version IS NOT NULL AND r.created_at IS NOT NULL
  RETURN r.job_version AS version, min(r.created_at) AS created_at, null AS since
  UNION ALL
  MATCH (:Job {key: $key})-[:HAS_VERSION]->(v:JobVersion)
  RETURN v.hash AS version, v.created_at AS created_at, null AS since
  UNION ALL
  MATCH (r:Run)
  WHERE r.job_key = $key AND r.stream_versions IS NOT NULL
  UNWIND range(0, size(r.stream_versions) - 1) AS i
  WITH r.stream_versions[i] AS version, datetime(r.stream_times[i]) AS since
  RETURN version, null AS created_at, since
  UNION ALL
  MATCH (:Job {key: $key})-[:HAS_DECLARATION]->(d:Declaration)
  UNWIND range(0, size(d.versions) - 1) AS i
  WITH d.versions[i] AS version, datetime(d.version_times[i]) AS created_at
  RETURN version, created_at, null AS since
}
// A run of a stream is older than its later versions.
WITH version, coalesce(min(since), min(created_at)) AS created_at
RETURN version, created_at
ORDER BY created_at DESC, version
SKIP $offset
LIMIT $limit
