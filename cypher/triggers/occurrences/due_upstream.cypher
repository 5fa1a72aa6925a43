// Occurrences of ended runs for conditions on upstream jobs, by fed job and number of hops.
UNWIND $rows AS row
MATCH (:Job {key: row.job_key})<-[:WATCHES]-(c:Condition {operator: 'UPSTREAM'})
WHERE c.hops >= row.hops
MATCH (r:Run {id: row.run_id})
WHERE r.state IN c.statuses
  AND coalesce(r.marked_at, r.ended_at) >= c.created_at
  AND coalesce(r.marked_at, r.ended_at) >= coalesce($now, datetime.realtime()) - $max_event_age
MATCH (t:Trigger {enabled: true})-[:HAS_CONDITION]->(c)
WHERE coalesce(r.marked_at, r.ended_at) >= t.enabled_at
WITH DISTINCT r, c, t, c.predicates IS NOT NULL OR t.correlate_by IS NOT NULL AS asks
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
