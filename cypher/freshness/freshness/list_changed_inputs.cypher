// The datasets that runs read and that others wrote again since the runs began.
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
RETURN id AS run_id, collect(DISTINCT CASE WHEN is_changed THEN d.name END) AS changed
ORDER BY run_id
