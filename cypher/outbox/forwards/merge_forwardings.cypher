// Queue events for each matching target.
MATCH (t:ForwardTarget)
// Behind those that wait, also if the clock was put back since they were queued.
CALL (t) {
  MATCH (last:Forwarding {waits_for: t.name})
  WHERE last.queued_at IS NOT NULL AND last.position IS NOT NULL
  WITH last ORDER BY last.waits_for DESC, last.queued_at DESC, last.position DESC LIMIT 1
  RETURN collect(last.queued_at)[0] + duration({microseconds: 1}) AS next
}
UNWIND $rows AS row
WITH t, next, row
WHERE ($own OR t.send = 'all') AND row.namespace =~ t.namespaces
MERGE (f:Forwarding {key: t.name + ' ' + row.id})
ON CREATE SET
  f.target = t.name,
  f.waits_for = t.name,
  f.event_id = row.id,
  f.position = row.position,
  f.queued_at = CASE WHEN next > datetime.realtime() THEN next ELSE datetime.realtime() END
