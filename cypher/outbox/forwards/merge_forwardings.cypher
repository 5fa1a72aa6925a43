// Queue events for each matching target.
MATCH (t:ForwardTarget)
UNWIND $rows AS row
WITH t, row
WHERE ($own OR t.send = 'all') AND row.namespace =~ t.namespaces
MERGE (f:Forwarding {key: t.name + ' ' + row.id})
ON CREATE SET
  f.target = t.name,
  f.waits_for = t.name,
  f.event_id = row.id,
  f.position = row.position,
  f.queued_at = datetime.realtime()
