// Store versions of jobs, activate those that should be active, and return the new ones.
UNWIND $rows AS row
MATCH (j:Job {key: row.job_key})
SET j.locked = true
REMOVE j.locked
WITH j, row, coalesce($now, datetime.realtime()) AS now
MATCH (s:Source {sha256: row.source_sha256})
MERGE (v:JobVersion {hash: row.hash})
ON CREATE SET
  v += row.properties,
  v.structure_hash = row.structure_hash,
  v.code_hash = row.code_hash,
  v.definition = row.definition,
  v.file = row.file,
  v.root = row.root,
  v.files = row.files,
  v.file_hashes = row.file_hashes,
  v.created_at = now,
  v.token = $token
MERGE (j)-[:HAS_VERSION]->(v)
MERGE (v)-[:BUILT_FROM]->(s)
WITH j, v, now
CALL (j, v, now) {
  WITH j, v, now WHERE $in_force
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
}
WITH v WHERE v.token = $token
RETURN v.hash AS hash
ORDER BY hash
