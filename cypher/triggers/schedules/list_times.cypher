// The next times of the conditions of enabled triggers, and the start of their schedules.
UNWIND $ids AS id
MATCH (t:Trigger {id: id, enabled: true})-[:HAS_CONDITION]->(c:Condition)
WHERE c.operator IN ['CRON', 'INTERVAL'] AND c.next_at IS NOT NULL
OPTIONAL MATCH (t)-[:STARTS]->(j:Job)
OPTIONAL MATCH (v:JobVersion {hash: j.current_version})
RETURN
  t.name AS name,
  c.cron AS cron,
  c.zone AS zone,
  c.span AS span,
  c.next_at AS next_at,
  t.enabled_at AS enabled_at,
  v.start_date AS start_date,
  v.end_date AS end_date
ORDER BY next_at, name
