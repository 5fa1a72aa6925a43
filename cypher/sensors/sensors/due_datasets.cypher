// Sensors whose dataset or partition was written since their oldest wait began.
MATCH (s:GraphSensor {kind: 'dataset'})
WHERE s.oldest_at IS NOT NULL AND s.shard IN $shards
  AND ($since IS NULL OR s.touched_at >= $since)
WITH s, CASE WHEN s.from_begin THEN s.oldest_at ELSE datetime({epochSeconds: 0}) END AS bound
CALL (s) {
  MATCH (:Dataset {key: s.dataset_key})-[:SAME_AS]->(d:Dataset)
  RETURN collect(d.key) AS others
}
UNWIND [s.dataset_key] + others AS dataset_key
CALL (s, bound, dataset_key) {
  WITH s, bound, dataset_key WHERE s.partition_key IS NULL
  MATCH (v:DatasetVersion)
  WHERE v.dataset_key = dataset_key AND v.written_at >= bound
  RETURN v.written_at AS at ORDER BY v.written_at DESC LIMIT 1
  UNION
  WITH s, bound, dataset_key WHERE s.partition_key IS NOT NULL
  UNWIND [s.partition_key, '*'] AS part
  MATCH (v:DatasetVersion)
  WHERE v.dataset_key = dataset_key AND v.partition_key = part AND v.written_at >= bound
    AND (part <> '*' OR s.partition_key IN v.partition_keys)
  RETURN v.written_at AS at ORDER BY v.written_at DESC LIMIT 1
}
WITH s, max(at) AS at
RETURN s.id AS id, s.shard AS shard, CASE WHEN s.from_begin THEN at END AS at
ORDER BY id
