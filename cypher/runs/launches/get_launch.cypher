// The details that a worker needs to start a claimed run.
MATCH (r:Run {id: $id})<-[:HAS_RUN]-(j:Job)
OPTIONAL MATCH (v:JobVersion {hash: r.wanted_version})-[:BUILT_FROM]->(s:Source)
RETURN
  r.id AS id,
  j.fqn AS job,
  r.fence AS fence,
  r.launches AS launches,
  r.started_at IS NOT NULL AS has_started,
  r.started_at AS started_at,
  r.params AS params,
  coalesce(r.only, []) AS only,
  v.hash AS version,
  v.structure_hash AS structure_hash,
  v.code_hash AS code_hash,
  v.definition AS definition,
  v.file AS file,
  v.root AS root,
  coalesce(r.source, s.sha256) AS source_sha256
