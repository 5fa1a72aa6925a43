// What runs read, by dataset: the version named, or the latest of each partition, or of all.
UNWIND $ids AS id
MATCH (r:Run {id: id})-[e:READS]->(d:Dataset)
CALL (r, e) {
  MATCH (v:DatasetVersion)
  WHERE v.dataset_key = e.dataset_key AND v.version = e.version
    AND NOT EXISTS { (r)-[:WRITES]->(v) }
  WITH v
  ORDER BY v.written_at IS NULL, v.written_at DESC, v.key DESC
  LIMIT 1
  RETURN collect(v) AS named
}
CALL (r, e, named) {
  UNWIND CASE WHEN named = [] THEN e.partition_keys END AS partition
  CALL (r, e, partition) {
    UNWIND [partition, '', '*'] AS written
    CALL (r, e, partition, written) {
      MATCH (v:DatasetVersion)
      USING INDEX v:DatasetVersion(dataset_key, partition_key, written_at)
      WHERE v.dataset_key = e.dataset_key AND v.partition_key = written
        AND v.written_at <= e.first_seen AND NOT EXISTS { (r)-[:WRITES]->(v) }
      WITH v, partition, written
      ORDER BY v.dataset_key DESC, v.partition_key DESC, v.written_at DESC, v.key DESC
      LIMIT 1000
      WITH v
      WHERE written <> '*' OR partition IN v.partition_keys
      RETURN v
      LIMIT 1
    }
    RETURN v
    ORDER BY v.written_at DESC, v.key DESC
    LIMIT 1
  }
  RETURN collect(DISTINCT v) AS parts
}
CALL (r, e, named, parts) {
  MATCH (v:DatasetVersion)
  WHERE v.dataset_key = e.dataset_key
    AND v.written_at <= CASE WHEN named = [] AND parts = [] THEN e.first_seen END
    AND NOT EXISTS { (r)-[:WRITES]->(v) }
  WITH v
  ORDER BY v.dataset_key DESC, v.written_at DESC, v.key DESC
  LIMIT 1
  RETURN collect(v) AS latest
}
WITH r, e, d, named + parts + latest AS versions
UNWIND range(0, CASE versions WHEN [] THEN 0 ELSE size(versions) - 1 END) AS number
WITH r, e, d, versions[number] AS v, CASE number WHEN 0 THEN e END AS counts
RETURN r.id AS id, d.key AS dataset, d.namespace AS namespace, d.name AS name, v.key AS version,
       [(writer:Run)-[:WRITES]->(v) | writer.id][0] AS writer, e.schema AS schema,
       counts.row_count AS row_count, counts.size AS size, counts.file_count AS file_count
ORDER BY id, namespace, name, v.written_at, version
