// A run with its version and all stored details of its execution.
MATCH (r:Run {id: $id})
OPTIONAL MATCH (j:Job)-[:HAS_RUN]->(r)
WITH r, j, coalesce(toStringOrNull(r.version), r.wanted_version, r.job_version) AS ran
OPTIONAL MATCH (v:JobVersion {hash: ran})
OPTIONAL MATCH (v)-[:BUILT_FROM]->(built:Source)
OPTIONAL MATCH (s:Source {sha256: coalesce(r.source, built.sha256)})
OPTIONAL MATCH (today:JobVersion {hash: j.current_version})
OPTIONAL MATCH (r)-[:RAN_IN]->(e:Environment)
OPTIONAL MATCH (r)-[:RERUN_OF]->(original:Run)
OPTIONAL MATCH (parent:Run)-[:PARENT_OF]->(r)
RETURN
  j.key AS job_key, coalesce(j.namespace, r.namespace) AS namespace,
  coalesce(j.fqn, r.name, r.id) AS job, coalesce(r.kind, j.kind) AS kind,
  r {.id, .created_at, .started_at, .ended_at, .nominal_start, .nominal_end, .attempt, .launches,
     .reason, .error, .log, .rerun_number, .rerun_policy, state: coalesce(r.state, 'PENDING'),
     rerun_of: original.id, parent: parent.id, only: coalesce(r.only, [])} AS run,
  ran AS version_hash,
  v {.hash, .structure_hash, .code_hash, .covers, .file, .root, .created_at,
     source: s.sha256, files: coalesce(s.files, v.files, []),
     file_hashes: coalesce(s.file_hashes, v.file_hashes, []),
     is_kept: s.archive IS NOT NULL OR s.url IS NOT NULL,
     .git_commit, .git_branch, .git_dirty, .git_remote} AS version,
  v.definition AS definition,
  CASE WHEN today.hash <> ran THEN today.definition END AS today,
  r.params AS params, r.variables AS variables, r.emitted AS emitted, r.cost AS cost,
  e {.sha256, .python, .platform, .packages} AS environment,
  COLLECT {
    MATCH (r)-[:EXPANDED]->(x:Expansion)
    WITH x ORDER BY x.number, x.path
    RETURN x {.behind, .definition}
  } AS expansions
LIMIT 1
