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
// What replaced the version: the next one of its partition, or of the whole. Of several partitions
// each can have its own, so only one of the whole replaces all.
CALL (v) {
  UNWIND CASE WHEN v.partition_key IN ['', '*'] THEN [''] ELSE [v.partition_key, ''] END AS written
  CALL (v, written) {
    MATCH (n:DatasetVersion)
    USING INDEX n:DatasetVersion(dataset_key, partition_key, written_at)
    WHERE n.dataset_key = v.dataset_key AND n.partition_key = written
      AND n.written_at > v.written_at
    WITH n
    ORDER BY n.dataset_key, n.partition_key, n.written_at
    LIMIT 1
    RETURN n
  }
  WITH n
  ORDER BY n.written_at
  LIMIT 1
  RETURN collect(n) AS replacing
}
WITH v.dataset_key AS written, coalesce(v.begun_at, v.written_at) AS since,
     v.partition_keys AS partitions, replacing[0] AS next,
     coalesce(replacing[0].written_at, datetime('9999-12-31')) AS until
WITH written, min(since) AS since, max(until) AS until,
     collect({partitions: partitions, until: until, next: next}) AS versions
MATCH (:Dataset {key: written})-[:SAME_AS*0..1]->(d:Dataset)
WITH d.key AS dataset, since, until, versions
CALL (dataset, since, until, versions) {
  MATCH (r:Run)-[e:READS]->(:Dataset)
  WHERE e.dataset_key = dataset AND e.first_seen >= since AND e.first_seen <= until
    AND any(v IN versions WHERE e.first_seen <= v.until AND any(partition IN e.partition_keys
            WHERE v.partitions IS NULL OR partition IN v.partitions))
  WITH r, e
  ORDER BY e.dataset_key, e.first_seen
  LIMIT $limit
  RETURN r.id AS id
  UNION
  // A run that updates a partition reads the version before.
  UNWIND versions AS v
  WITH v.next AS next, dataset
  MATCH (next)<-[:WRITES]-(r:Run)-[e:READS]->(:Dataset)
  WHERE e.dataset_key = dataset
  RETURN r.id AS id
}
RETURN DISTINCT id
ORDER BY id
LIMIT $limit
