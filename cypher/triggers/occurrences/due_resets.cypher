// Triggers whose half-met conditions are due for a reset.
WITH coalesce($now, datetime.realtime()) AS now
MATCH (t:Trigger) WHERE t.reset_at <= now AND t.enabled
RETURN
  t.id AS trigger_id, t.reset_cron AS cron, t.reset_zone AS zone, t.reset_at AS reset_at, now AS now
ORDER BY trigger_id
