// Occurrences of external events for the conditions that wait for their names.
UNWIND $ids AS id
MATCH (e:ExternalEvent {id: id})
MATCH (c:Condition {event: e.name})
WHERE e.occurred_at >= c.created_at
  AND e.occurred_at >= coalesce($now, datetime.realtime()) - $max_event_age
MATCH (t:Trigger {enabled: true})-[:HAS_CONDITION]->(c)
WHERE e.occurred_at >= t.enabled_at
WITH e, c, t
ORDER BY t.id, c.id, e.id
RETURN collect({
  trigger_id: t.id,
  condition_id: c.id,
  operator: c.operator,
  predicates: c.predicates,
  correlate_by: t.correlate_by,
  subject: 'event',
  subject_id: e.id,
  status: 'SAID',
  is_ahead: e.occurred_at > coalesce($now, datetime.realtime()) + $max_event_age,
  occurred_at: toString(e.occurred_at),
  part: e.id,
  partition: null,
  params: e.payload,
  emitted: null
}) AS rows
