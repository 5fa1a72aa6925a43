// Occurrences of due times: of a schedule, of an interval, or of an absence.
WITH coalesce($now, datetime.realtime()) AS now
MATCH (c:Condition) WHERE c.next_at <= now
MATCH (t:Trigger {enabled: true})-[:HAS_CONDITION]->(c)
OPTIONAL MATCH (t)-[:STARTS]->(j:Job)
OPTIONAL MATCH (v:JobVersion {hash: j.current_version})
RETURN
  t.id AS trigger_id, c.id AS condition_id, c.operator AS operator, c.cron AS cron, c.zone AS zone,
  c.span AS span, t.catch_up AS catch_up, c.next_at AS next_at, now AS now,
  v.start_date AS start_date, v.end_date AS end_date
ORDER BY trigger_id, condition_id
