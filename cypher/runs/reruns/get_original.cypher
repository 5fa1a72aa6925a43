// The original run of a rerun: its request and its version.
MATCH (r:Run {id: $id})
OPTIONAL MATCH (j:Job)-[:HAS_RUN]->(r)
OPTIONAL MATCH (r)-[:RAN]->(ran:JobVersion)
OPTIONAL MATCH (r)-[:RERUN_OF]->(before:Run)
OPTIONAL MATCH (above:Run)-[:PARENT_OF]->(r)
WITH r, j, before, above, coalesce(ran.hash, r.wanted_version) AS hash
LIMIT 1
OPTIONAL MATCH (v:JobVersion {hash: hash})
OPTIONAL MATCH (v)-[:BUILT_FROM]->(s:Source)
OPTIONAL MATCH (current:JobVersion {hash: j.current_version})
RETURN
  r.id AS id,
  r.state AS state,
  r.launch IS NOT NULL AS is_open,
  toString(r.started_at) AS started_at,
  r.params AS params,
  r.partition AS partition,
  coalesce(r.only, []) AS only,
  coalesce(r.launches, 1) AS launches,
  r.variables AS variables,
  r.task_code AS task_code,
  r.task_code IS NULL OR EXISTS { (:TaskCode {sha256: r.task_code}) } AS has_task_code,
  before.id AS rerun_of,
  above.id AS parent,
  j.key AS job_key,
  j.namespace AS namespace,
  j.fqn AS job,
  hash AS version,
  v.definition AS definition,
  v.code_hash AS code_hash,
  coalesce(r.source, s.sha256) AS source_sha256,
  v.root AS root,
  CASE WHEN j.withdrawn_at IS NULL THEN current.hash END AS current_version
