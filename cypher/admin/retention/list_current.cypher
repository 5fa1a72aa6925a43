// Datasets, each with the latest of its versions that a condemned run wrote.
MATCH (d:Dataset) WHERE d.key > $after
WITH d ORDER BY d.key LIMIT $limit
CALL (d) {
  MATCH (v:DatasetVersion)
  WHERE v.dataset_key = d.key AND v.written_at IS NOT NULL
  MATCH (r:Run {condemned: $sweep})-[:WRITES]->(v)
  WITH r, v ORDER BY v.written_at DESC, v.key DESC
  LIMIT 1
  RETURN collect({id: r.id, written_at: v.written_at}) AS latest
}
RETURN d.key AS key, latest[0].id AS writer, latest[0].written_at AS written_at
ORDER BY key
