// Store the new items of sensors as events.
UNWIND $rows AS row
MERGE (e:ExternalEvent {id: row.id})
ON CREATE SET
  e.name = row.name,
  e.payload = row.payload,
  e.received_at = coalesce($now, datetime.realtime()),
  e.occurred_at = coalesce($now, datetime.realtime())
