// Delete versions that never ran where the same files state another one now, and return their number.
UNWIND $rows AS row
MATCH (j:Job {key: row.job_key})-[:HAS_VERSION]->(new:JobVersion {hash: row.hash})
MATCH (j)-[:HAS_VERSION]->(v:JobVersion)
WHERE v <> new AND v.hash <> j.current_version AND v.code_hash = new.code_hash
  AND NOT EXISTS { (:Run)-[:RAN]->(v) } AND NOT EXISTS { (:Run {wanted_version: v.hash}) }
  AND NOT new.definition CONTAINS '"rerun":"pinned:' + left(v.hash, 4)
  AND NOT EXISTS { (p:BackfillPartition {state: 'UNSTARTED'}) WHERE p.repeats CONTAINS v.hash }
// The new one takes the place of the others: they were one definition, with other values.
CALL (j, new, v) {
  MATCH (j)-[old:IN_FORCE]->(v)
  MATCH (j)-[f:IN_FORCE]->(new)
  WHERE f.until IS NULL AND old.since < f.since
  SET f.since = old.since
}
CALL (v) {
  MATCH (v)-[:CONTAINS|HAS_PARAMETER|HAS_TRIGGER|WHEN|OPERAND|ASKS|LIMITED_BY|TAKES|NEEDS|HAS_CLUSTER
             |HAS_SETTING*1..]->(part)
  DETACH DELETE part
}
DETACH DELETE v
RETURN count(*) AS deleted
