// What the dataset versions that completed runs wrote are to the conditions that watch the datasets.
UNWIND $run_ids AS run_id
MATCH (r:Run {id: run_id, state: 'COMPLETED'})-[:WRITES]->(v:DatasetVersion)
MATCH (v)<-[:HAS_VERSION]-(:Dataset)<-[:WATCHES]-(c:Condition)
WHERE v.written_at >= c.created_at
  AND v.written_at >= coalesce($now, datetime.realtime()) - $news
MATCH (t:Trigger {enabled: true})-[:HAS_CONDITION]->(c)
WHERE v.written_at >= t.enabled_at
WITH r, v, c, t, c.predicates IS NOT NULL OR t.correlate_by IS NOT NULL AS asks
ORDER BY t.id, c.id, v.key
RETURN collect({
  trigger_id: t.id,
  condition_id: c.id,
  operator: c.operator,
  predicates: c.predicates,
  correlate_by: t.correlate_by,
  subject: 'version',
  subject_id: v.key,
  status: 'WRITTEN',
  occurred_at: toString(v.written_at),
  part: coalesce(v.partition_key, v.key),
  partition: coalesce(v.partition_key, r.partition),
  params: CASE WHEN asks THEN r.params END,
  emitted: CASE WHEN asks THEN r.emitted END
}) AS rows
