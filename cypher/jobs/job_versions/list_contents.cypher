// The contents of pipeline versions, and the hashes of their packed code.
UNWIND $hashes AS hash
MATCH (j:Job)-[:HAS_VERSION]->(v:JobVersion {hash: hash})
OPTIONAL MATCH (v)-[:BUILT_FROM]->(s:Source)
WITH v, min(j.fqn) AS job, min(j.namespace) AS namespace, min(s.sha256) AS source
RETURN v.hash AS version, namespace, job, v.created_at AS created_at, v.file AS file,
       v.code_hash AS code_hash, v.definition AS definition, source,
       coalesce(v.files, []) AS files, coalesce(v.file_hashes, []) AS file_hashes
ORDER BY version
