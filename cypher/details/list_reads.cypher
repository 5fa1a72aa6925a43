// What runs read, by dataset: the version that a run named, or else the latest one of that time.
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
  MATCH (v:DatasetVersion)
  WHERE v.dataset_key = e.dataset_key
    AND v.written_at <= CASE WHEN named = [] THEN e.first_seen END
    AND NOT EXISTS { (r)-[:WRITES]->(v) }
  WITH v
  ORDER BY v.dataset_key DESC, v.written_at DESC, v.key DESC
  LIMIT 1
  RETURN collect(v) AS latest
}
WITH r, e, d, (named + latest)[0] AS v
RETURN r.id AS id, d.key AS dataset, d.namespace AS namespace, d.name AS name, v.key AS version,
       [(writer:Run)-[:WRITES]->(v) | writer.id][0] AS writer, e.schema AS schema,
       e.row_count AS row_count, e.size AS size, e.file_count AS file_count
ORDER BY id, namespace, name
