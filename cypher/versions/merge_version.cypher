// Keep a version of a job, make it the current one, and say whether it is new.
MATCH (j:Job {key: $job_key})
MATCH (s:Source {sha256: $source_sha256})
MERGE (v:JobVersion {hash: $hash})
ON CREATE SET
  v.structure_hash = $structure_hash,
  v.code_hash = $code_hash,
  v.definition = $definition,
  v.file = $file,
  v.root = $root,
  v.created_at = coalesce($now, datetime.realtime()),
  v.token = $token
MERGE (j)-[:HAS_VERSION]->(v)
MERGE (v)-[:BUILT_FROM]->(s)
WITH j, v, v.token = $token AS is_new
SET j.current_version = v.hash
RETURN is_new
