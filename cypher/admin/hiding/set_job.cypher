// Hide a job until an event names it.
MATCH (j:Job {key: $key})
SET j.hidden_at = coalesce($now, datetime.realtime())
