// The schedules of enabled triggers that come before a time.
MATCH (c:Condition) WHERE c.next_at <= $until AND c.operator IN ['CRON', 'INTERVAL']
MATCH (t:Trigger {enabled: true})-[:HAS_CONDITION]->(c)
MATCH (t)-[:STARTS]->(j:Job)
OPTIONAL MATCH (v:JobVersion {hash: j.current_version})
WITH t, c, j, v
WHERE (v.start_date IS NULL OR v.start_date <= $until)
  AND (v.end_date IS NULL OR c.next_at <= v.end_date)
RETURN
  t.id AS trigger_id, t.name AS trigger_name, j.fqn AS job, c.cron AS cron, c.zone AS zone, c.span AS span,
  c.next_at AS next_at, v.start_date AS start_date, v.end_date AS end_date
ORDER BY next_at, trigger_id
LIMIT $limit
