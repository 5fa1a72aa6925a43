// The versions of a job by the start of their hash, each with its source.
MATCH (:Job {key: $job_key})-[:HAS_VERSION]->(v:JobVersion)
WHERE v.hash STARTS WITH $prefix
OPTIONAL MATCH (v)-[:BUILT_FROM]->(s:Source)
OPTIONAL MATCH (v)-[:HAS_CODE]->(c:TaskCode)
RETURN
  v.hash AS hash, v.definition AS definition, v.code_hash AS code_hash,
  s.sha256 AS source_sha256, c.sha256 AS task_code, v.root AS root
ORDER BY hash
LIMIT 3
