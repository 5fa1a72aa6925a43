// Register a daemon's targets, so that events are queued for them, and return their names.
UNWIND $rows AS row
MERGE (t:ForwardTarget {name: row.name})
ON CREATE SET t.attempts = 0, t.sent = 0, t.dropped = 0
SET
  t.send = row.send,
  t.namespaces = row.namespaces,
  t.seen_at = coalesce($now, datetime.realtime())
// A target that another forgot meanwhile has no name.
RETURN t.name AS name
ORDER BY name
