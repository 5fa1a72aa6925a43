// The newest external events that match each condition of a preview, by name.
UNWIND $rows AS row
CALL (row) {
  MATCH (e:ExternalEvent)
  WHERE e.name = row.event AND e.occurred_at >= $since AND e.occurred_at <= $until
  RETURN e ORDER BY e.occurred_at DESC LIMIT $most
}
WITH row, e ORDER BY e.occurred_at, e.id, row.condition_id
RETURN collect({
  condition_id: row.condition_id,
  subject: 'event',
  subject_id: e.id,
  name: e.name,
  simple_name: null,
  job: null,
  run_id: null,
  status: 'SAID',
  occurred_at: toString(e.occurred_at),
  judged_at: toString(e.occurred_at),
  part: e.id,
  partition: null,
  params: e.payload,
  emitted: null
}) AS rows
