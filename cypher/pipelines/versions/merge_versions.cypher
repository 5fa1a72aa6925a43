// Store versions of jobs, lock their jobs, and return the new ones; all get the files that were read.
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
  v.covers = row.covers,
  v.definition = row.definition,
  v.file = row.file,
  v.root = row.root,
  v.created_at = now,
  v.token = $token
// Its functions are those of the last reading, too: their lines are lines of these files.
SET v.files = row.files, v.file_hashes = row.file_hashes
MERGE (j)-[:HAS_VERSION]->(v)
MERGE (v)-[:BUILT_FROM]->(s)
WITH v, s
CALL (v, s) {
  MATCH (v)-[old:BUILT_FROM]->(other:Source)
  WHERE other <> s
  DELETE old
}
WITH v WHERE v.token = $token
RETURN v.hash AS hash
ORDER BY hash
