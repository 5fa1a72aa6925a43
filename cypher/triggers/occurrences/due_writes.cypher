// Occurrences of dataset versions of completed runs for the conditions that watch the datasets.
//
// Where partitions are counted or told apart, there is a row for each that was written.
UNWIND $run_ids AS run_id
MATCH (r:Run {id: run_id, state: 'COMPLETED'})-[w:WRITES]->(v:DatasetVersion)
USING INDEX r:Run(id)
MATCH (v)<-[:HAS_VERSION]-(:Dataset)-[:SAME_AS*0..1]->(:Dataset)<-[:WATCHES]-(c:Condition)
WHERE c.quality IS NULL AND v.written_at >= c.created_at
  AND v.written_at >= coalesce($now, datetime.realtime()) - $max_event_age
MATCH (t:Trigger {enabled: true})-[:HAS_CONDITION]->(c)
WHERE v.written_at >= t.enabled_at
UNWIND CASE
  WHEN c.need > 1 OR t.correlate_by = 'partition'
  THEN coalesce(v.partition_keys, [coalesce(r.partition, v.key)])
  ELSE [v.key]
END AS part
WITH r, w, v, c, t, part, c.predicates IS NOT NULL OR t.correlate_by IS NOT NULL AS asks
ORDER BY t.id, c.id, v.key, part
RETURN collect({
  trigger_id: t.id,
  condition_id: c.id,
  operator: c.operator,
  predicates: c.predicates,
  correlate_by: t.correlate_by,
  subject: 'version',
  subject_id: v.key,
  status: 'WRITTEN',
  is_ahead: v.written_at > coalesce($now, datetime.realtime()) + $max_event_age,
  occurred_at: toString(v.written_at),
  part: part,
  partition: CASE WHEN part <> v.key THEN part ELSE r.partition END,
  params: CASE WHEN asks THEN r.params END,
  emitted: CASE WHEN asks THEN r.emitted END,
  reported: CASE WHEN asks THEN r.reported END,
  written: CASE WHEN asks THEN {rowCount: w.row_count, size: w.size, fileCount: w.file_count} END
}) AS rows
