// The times that have come: of a schedule, of an interval, or by which something was not there.
WITH coalesce($now, datetime.realtime()) AS now
MATCH (c:Condition) WHERE c.next_at <= now
MATCH (t:Trigger {enabled: true})-[:HAS_CONDITION]->(c)
RETURN
  t.id AS trigger_id, c.id AS condition_id, c.operator AS operator, c.cron AS cron, c.zone AS zone,
  c.span AS span, t.catch_up AS catch_up, c.next_at AS next_at, now AS now
ORDER BY trigger_id, condition_id
