// The times at which conditions of enabled triggers come next, and since when they come.
UNWIND $ids AS id
MATCH (t:Trigger {id: id, enabled: true})-[:HAS_CONDITION]->(c:Condition)
WHERE c.operator IN ['CRON', 'INTERVAL'] AND c.next_at IS NOT NULL
RETURN
  t.name AS name,
  c.cron AS cron,
  c.zone AS zone,
  c.span AS span,
  c.next_at AS next_at,
  t.enabled_at AS enabled_at
ORDER BY next_at, name
