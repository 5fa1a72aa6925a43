// Hide a dataset until an event names it.
MATCH (d:Dataset {key: $key})
SET d.hidden_at = coalesce($now, datetime.realtime())
