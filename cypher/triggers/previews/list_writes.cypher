// The newest dataset versions of completed runs that match each condition of a preview.
//
// Where partitions are counted or told apart, there is a row for each that was written.
UNWIND $rows AS row
MATCH (d:Dataset {key: row.dataset_key})
CALL (d) {
  MATCH (d)-[:SAME_AS*0..1]->(m:Dataset)
  RETURN m.key AS dataset_key
}
CALL (dataset_key) {
  MATCH (v:DatasetVersion)
  WHERE v.dataset_key = dataset_key AND v.written_at >= $since AND v.written_at <= $until
  MATCH (r:Run {state: 'COMPLETED'})-[w:WRITES]->(v)
  RETURN v, r, w ORDER BY v.written_at DESC LIMIT $most
}
MATCH (j:Job)-[:HAS_RUN]->(r)
UNWIND CASE
  WHEN row.parted
  THEN coalesce(v.partition_keys, [coalesce(r.partition, v.key)])
  ELSE [v.key]
END AS part
WITH row, d, j, r, w, v, part ORDER BY v.written_at, v.key, part, row.condition_id
RETURN collect({
  condition_id: row.condition_id,
  subject: 'version',
  subject_id: v.key,
  name: d.name,
  simple_name: j.simple_name,
  job: j.fqn,
  run_id: r.id,
  status: 'WRITTEN',
  occurred_at: toString(v.written_at),
  judged_at: toString(coalesce(r.ended_at, v.written_at)),
  part: part,
  partition: CASE WHEN part <> v.key THEN part ELSE r.partition END,
  params: r.params,
  emitted: r.emitted,
  reported: r.reported,
  written: {rowCount: w.row_count, size: w.size, fileCount: w.file_count}
}) AS rows
