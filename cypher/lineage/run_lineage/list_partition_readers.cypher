// Runs that possibly read partitions of versions, or the rest of a version without partitions.
UNWIND $keys AS key
MATCH (v:DatasetVersion {key: key})
CALL (v) {
  MATCH (n:DatasetVersion)
  WHERE n.dataset_key = v.dataset_key AND n.written_at > v.written_at
  WITH n
  ORDER BY n.dataset_key, n.written_at
  LIMIT 1
  RETURN collect(n.partition_keys) AS following
}
WITH v, following
WHERE v.partition_keys IS NOT NULL OR following <> []
WITH v.dataset_key AS written, min(v.written_at) AS since, collect(v) AS versions
MATCH (:Dataset {key: written})-[:SAME_AS*0..1]->(d:Dataset)
WITH d.key AS dataset, since, versions
CALL (dataset, since, versions) {
  MATCH (r:Run)-[e:READS]->(:Dataset)
  WHERE e.dataset_key = dataset AND e.first_seen >= since
    AND any(v IN versions WHERE any(partition IN e.partition_keys
            WHERE v.partition_keys IS NULL OR partition IN v.partition_keys))
  WITH r, e
  ORDER BY e.dataset_key, e.first_seen
  LIMIT $limit
  RETURN r.id AS id
}
RETURN DISTINCT id
ORDER BY id
LIMIT $limit
