// The datasets that runs read and that others wrote again since the runs began.
// Tells too whether the code or the statement of their tasks is another one by now.
UNWIND $ids AS id
MATCH (top:Run {id: id})-[:PARENT_OF*0..]->(r:Run)-[e:READS]->(d:Dataset)
CALL (top, e, d) {
  MATCH (d)-[:SAME_AS*0..1]->(same:Dataset)
  CALL (top, e, same) {
    MATCH (v:DatasetVersion)
    WHERE v.dataset_key = same.key AND v.written_at > top.started_at
      AND coalesce(toString(v.version) <> toString(e.version), true)
      AND NOT EXISTS { (top)-[:PARENT_OF*0..]->(:Run)-[:WRITES]->(v) }
    RETURN v
    LIMIT 1
  }
  RETURN count(v) > 0 AS is_changed
}
WITH id, collect(DISTINCT CASE WHEN is_changed THEN d.name END) AS changed
CALL (id) {
  MATCH (j:Job)-[:HAS_RUN]->(:Run {id: id})<-[:PARENT_OF*0..]-(p:Run)-[:RAN]->(old:JobVersion)
  MATCH (top:Job {key: p.job_key})-[force:IN_FORCE]->(new:JobVersion)
  WHERE force.until IS NULL AND new <> old
  WITH old, new, substring(j.fqn, size(top.fqn) + 1) AS path
  RETURN count(CASE
    WHEN new.code_hash <> old.code_hash OR COLLECT {
      MATCH (new)-[:CONTAINS*1..]->(t:TaskVersion {path: path})
      RETURN t {.*, hash: null, position: null}
    } <> COLLECT {
      MATCH (old)-[:CONTAINS*1..]->(t:TaskVersion {path: path})
      RETURN t {.*, hash: null, position: null}
    } THEN 1
  END) > 0 AS has_new_code
}
RETURN id AS run_id, changed, has_new_code
ORDER BY run_id
