// Runs that possibly read versions; `jobs/details/list_reads` decides.
UNWIND $keys AS key
MATCH (v:DatasetVersion {key: key})
CALL (v) {
  MATCH (n:DatasetVersion)
  WHERE n.dataset_key = v.dataset_key AND n.written_at > v.written_at
  WITH n
  ORDER BY n.dataset_key, n.written_at
  LIMIT 1
  RETURN collect(n) AS following
}
WITH v, following[0] AS following
// Each dataset that is the same can have its own later versions: `following` is only of this one.
CALL (v) {
  MATCH (:Dataset {key: v.dataset_key})-[:SAME_AS*0..1]->(d:Dataset)
  RETURN d.key AS dataset_key
}
CALL (v, following, dataset_key) {
  MATCH (r:Run)-[e:READS]->(:Dataset)
  WHERE e.dataset_key = dataset_key AND e.first_seen >= coalesce(v.begun_at, v.written_at)
    AND e.first_seen <= coalesce(following.written_at, datetime('9999-12-31'))
  RETURN r.id AS id
  UNION
  MATCH (r:Run)-[:WRITES]->(following)
  RETURN r.id AS id
  UNION
  MATCH (r:Run)-[e:READS]->(:Dataset)
  WHERE e.dataset_key = CASE WHEN v.version IS NOT NULL THEN dataset_key END
    AND e.first_seen IS NOT NULL AND e.version = v.version
  RETURN r.id AS id
}
RETURN DISTINCT id
ORDER BY id
LIMIT $limit
