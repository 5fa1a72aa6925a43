// The run that wrote the last version of each dataset, and the newest runs that read it since.
UNWIND $keys AS key
// Step 1: the last version, under any name. Ordering by dataset_key too lets Neo4j use the index order.
CALL (key) {
  MATCH (:Dataset {key: key})-[:SAME_AS*0..1]->(same:Dataset)
  CALL (same) {
    MATCH (v:DatasetVersion)
    WHERE v.dataset_key = same.key AND v.written_at IS NOT NULL
    WITH v
    ORDER BY v.dataset_key DESC, v.written_at DESC, v.key DESC
    LIMIT 1
    RETURN v
  }
  WITH v
  ORDER BY v.written_at DESC, v.key DESC
  LIMIT 1
  RETURN collect(v) AS versions
}
WITH key, head(versions) AS last
WITH key, last, [(w:Run)-[:WRITES]->(last) | w.id][0] AS writer
// Step 2: the newest reads, oldest of them first; its writer read the version before.
CALL (key, last, writer) {
  MATCH (:Dataset {key: key})-[:SAME_AS*0..1]->(same:Dataset)
  CALL (same) {
    MATCH (r:Run)-[e:READS]->(:Dataset)
    WHERE e.dataset_key = same.key AND e.first_seen IS NOT NULL
    WITH r, e
    ORDER BY e.dataset_key DESC, e.first_seen DESC
    LIMIT $limit
    RETURN r, e
  }
  WITH r, e, last, writer
  ORDER BY e.first_seen DESC
  LIMIT $limit
  WITH r, e
  WHERE (last IS NULL OR e.last_seen >= coalesce(last.begun_at, last.written_at))
    AND (writer IS NULL OR r.id <> writer)
    // While its stream went on, another version may have come before the read.
    AND (last IS NULL OR e.last_seen >= last.written_at OR NOT EXISTS {
      MATCH (v:DatasetVersion)
      WHERE v.dataset_key = e.dataset_key AND v.written_at > last.begun_at
        AND v.written_at <= e.first_seen
    })
  WITH r, e
  ORDER BY e.last_seen, r.id
  RETURN collect(r.id) AS readers
}
RETURN key, writer, readers
ORDER BY key
