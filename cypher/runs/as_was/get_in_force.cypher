// The version of a job that was active at a time.
MATCH (j:Job {key: $job_key})
OPTIONAL MATCH (j)-[f:IN_FORCE]->(v:JobVersion)
WHERE f.since <= $at AND (f.until IS NULL OR f.until > $at)
WITH j, f, v ORDER BY f.since DESC LIMIT 1
OPTIONAL MATCH (v)-[:BUILT_FROM]->(s:Source)
OPTIONAL MATCH (today:JobVersion {hash: j.current_version})
RETURN
  j.namespace AS namespace, j.fqn AS job, f.since AS since, f.until AS until,
  v {.hash, .structure_hash, .code_hash, .covers, .file, .root, .created_at,
     source: s.sha256, files: coalesce(v.files, s.files, []),
     file_hashes: coalesce(v.file_hashes, []),
     is_kept: s.archive IS NOT NULL OR s.url IS NOT NULL,
     .git_commit, .git_branch, .git_dirty, .git_remote} AS version,
  v.definition AS definition,
  CASE WHEN today.hash <> v.hash THEN today.definition END AS today,
  COLLECT {
    MATCH (j)-[first:IN_FORCE]->(:JobVersion)
    RETURN first.since ORDER BY first.since LIMIT 1
  }[0] AS known_since,
  COLLECT {
    MATCH (r:Run {job_key: j.key})
    WHERE r.created_at <= $at
    WITH r
    ORDER BY r.job_key DESC, r.created_at DESC
    LIMIT 1
    RETURN r.id
  }[0] AS run
