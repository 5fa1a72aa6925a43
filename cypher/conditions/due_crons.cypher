// The scheduled times that have come, of enabled triggers.
WITH coalesce($now, datetime.realtime()) AS now
MATCH (c:Condition) WHERE c.next_at <= now
MATCH (t:Trigger {enabled: true})-[:WHEN]->(:Condition)-[:OPERAND*0..]->(c)
RETURN
  c.id AS id, t.id AS trigger_id, c.cron AS cron, c.zone AS zone, c.next_at AS next_at, now AS now
ORDER BY trigger_id, id
