// The conditions with a next time of triggers enabled since before a time: schedules, intervals, absences.
MATCH (t:Trigger {enabled: true})-[:HAS_CONDITION]->(c:Condition)
WHERE t.enabled_at <= $at AND c.created_at <= $at AND c.operator IN ['CRON', 'INTERVAL', 'ABSENT']
RETURN c.id AS condition_id, c.operator AS operator, c.cron AS cron, c.zone AS zone, c.span AS span,
  c.next_at AS next_at
ORDER BY condition_id
