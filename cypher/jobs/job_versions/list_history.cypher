// The versions of a job, last activated first, with their active periods and numbers of runs.
CALL () {
  MATCH (j:Job {key: $key})-[:HAS_VERSION]->(v:JobVersion)
  RETURN v.hash AS version, v, j,
    COLLECT {
      MATCH (j)-[f:IN_FORCE]->(v)
      RETURN {since: f.since, until: f.until} AS period
      ORDER BY f.since
    } AS periods,
    v.created_at AS created_at
  UNION ALL
  MATCH (j:Job {key: $key})
  MATCH (r:Run)
  USING INDEX r:Run(job_key, job_version, created_at)
  WHERE r.job_key = $key AND r.job_version IS NOT NULL AND r.created_at IS NOT NULL
  WITH j, r.job_version AS version, min(r.created_at) AS created_at
  WHERE NOT EXISTS { (j)-[:HAS_VERSION]->(:JobVersion {hash: version}) }
  RETURN version, null AS v, j, [] AS periods, created_at
}
WITH version, v, j, periods, created_at
ORDER BY coalesce(periods[-1].since, created_at) DESC, version
LIMIT $limit
CALL (version) {
  MATCH (r:Run)
  USING INDEX r:Run(job_key, job_version, created_at)
  WHERE r.job_key = $key AND r.job_version = version AND r.created_at IS NOT NULL
  RETURN count(r) AS runs, max(r.created_at) AS last_run_at
}
RETURN
  version, created_at, periods, runs, last_run_at,
  coalesce(j.current_version = version AND j.withdrawn_at IS NULL, false) AS is_current,
  v.git_commit AS git_commit, v.git_branch AS git_branch, v.git_dirty AS git_dirty,
  v.code_hash AS code_hash, v.covers AS covers, v.file AS file, v.definition AS definition,
  coalesce(v.files, []) AS files, coalesce(v.file_hashes, []) AS file_hashes,
  // Of an old version that is active again, it may be beyond the limit.
  COLLECT {
    MATCH (j)-[:HAS_VERSION]->(p:JobVersion)
    WHERE p.definition IS NOT NULL
      AND (p.created_at < v.created_at OR p.created_at = v.created_at AND p.hash < v.hash)
    RETURN p.hash AS hash
    ORDER BY p.created_at DESC, hash DESC
    LIMIT 1
  }[0] AS before
ORDER BY coalesce(periods[-1].since, created_at) DESC, version
