// Queue the events that this transaction received first, for each matching target.
MATCH (t:ForwardTarget)
UNWIND $rows AS row
WITH t, row
WHERE ($own OR t.send = 'all') AND row.namespace =~ t.namespaces
MATCH (e:Event {id: row.id})
WHERE e.received_at >= datetime.transaction()
MERGE (f:Forwarding {key: t.name + ' ' + e.id})
ON CREATE SET
  f.target = t.name,
  f.waits_for = t.name,
  f.event_id = e.id,
  f.position = row.position,
  f.queued_at = datetime.realtime()
