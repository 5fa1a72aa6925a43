// The version that replaced each version, if any: the newest of the same partition, or of all, by any name.
UNWIND $keys AS key
MATCH (v:DatasetVersion {key: key})
CALL (v) {
  MATCH (:Dataset {key: v.dataset_key})-[:SAME_AS*0..1]->(same:Dataset)
  CALL (v, same) {
    MATCH (n:DatasetVersion)
    WHERE n.dataset_key = same.key AND n.written_at > v.written_at
      AND (
        coalesce(v.partition_key, '') IN ['', '*'] OR n.partition_key IN [v.partition_key, '']
        OR (n.partition_key = '*' AND v.partition_key IN n.partition_keys)
      )
      // A run may report one write under several names.
      AND (
        same.key = v.dataset_key
        OR (
          coalesce(toStringOrNull(n.version) <> toStringOrNull(v.version), true)
          AND NOT EXISTS { (n)<-[:WRITES]-(:Run)-[:WRITES]->(v) }
        )
      )
    RETURN n
    ORDER BY n.dataset_key DESC, n.written_at DESC, n.key DESC
    LIMIT 1
  }
  WITH n ORDER BY n.written_at DESC, n.key DESC
  LIMIT 1
  OPTIONAL MATCH (writer:Run)-[:WRITES]->(n)
  RETURN n.key AS newer, writer.id AS run_id
}
RETURN key, newer, run_id
ORDER BY key
