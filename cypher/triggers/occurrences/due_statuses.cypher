// Occurrences of ended runs for the conditions that watch their jobs.
UNWIND $run_ids AS run_id
MATCH (r:Run {id: run_id})<-[:HAS_RUN]-(j:Job)<-[:WATCHES]-(c:Condition)
WHERE r.state IN c.statuses
  AND c.operator <> 'UPSTREAM'
  AND coalesce(c.application = j.application, c.application IS NULL)
  AND coalesce(c.version = r.version, c.version IS NULL)
  AND coalesce(r.marked_at, r.ended_at) >= c.created_at
  AND coalesce(r.marked_at, r.ended_at) >= coalesce($now, datetime.realtime()) - $max_event_age
MATCH (t:Trigger {enabled: true})-[:HAS_CONDITION]->(c)
WHERE coalesce(r.marked_at, r.ended_at) >= t.enabled_at
WITH r, c, t, c.predicates IS NOT NULL OR t.correlate_by IS NOT NULL AS asks
ORDER BY t.id, c.id, r.id
RETURN collect({
  trigger_id: t.id,
  condition_id: c.id,
  operator: c.operator,
  predicates: c.predicates,
  correlate_by: t.correlate_by,
  subject: 'run',
  subject_id: r.id,
  status: r.state,
  is_ahead: coalesce(r.marked_at, r.ended_at) > coalesce($now, datetime.realtime()) + $max_event_age,
  occurred_at: toString(coalesce(r.marked_at, r.ended_at)),
  part: r.id,
  partition: r.partition,
  params: CASE WHEN asks THEN r.params END,
  emitted: CASE WHEN asks THEN r.emitted END,
  reported: CASE WHEN asks THEN r.reported END
}) AS rows
