// Keep a version of a job, put it in force, and say whether it is new.
MATCH (j:Job {key: $job_key})
SET j.locked = true
REMOVE j.locked
WITH j, coalesce($now, datetime.realtime()) AS now
MATCH (s:Source {sha256: $source_sha256})
MERGE (v:JobVersion {hash: $hash})
ON CREATE SET
  v += $properties,
  v.structure_hash = $structure_hash,
  v.code_hash = $code_hash,
  v.definition = $definition,
  v.file = $file,
  v.root = $root,
  v.files = $files,
  v.file_hashes = $file_hashes,
  v.created_at = now,
  v.token = $token
MERGE (j)-[:HAS_VERSION]->(v)
MERGE (v)-[:BUILT_FROM]->(s)
SET j.current_version = v.hash
REMOVE j.withdrawn_at
WITH j, v, now
CALL (j, v, now) {
  MATCH (j)-[old:IN_FORCE]->(other)
  WHERE old.until IS NULL AND other <> v
  SET old.until = now
}
FOREACH (x IN CASE WHEN EXISTS { (j)-[f:IN_FORCE]->(v) WHERE f.until IS NULL } THEN [] ELSE [1] END |
  CREATE (j)-[:IN_FORCE {since: now}]->(v))
RETURN v.token = $token AS is_new
