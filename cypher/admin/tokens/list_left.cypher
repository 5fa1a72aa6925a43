// Kinds of things that a revoked token left, which the next one of its name would have.
CALL () {
  MATCH (t:Trigger {origin: 'schedule', made_by: $name})
  WHERE t.deleted_at IS NULL
  RETURN 'schedules' AS kind LIMIT 1
  UNION
  MATCH (e:Event)
  WHERE e.judged_by IS NOT NULL AND e.author = $name
  RETURN 'claims' AS kind LIMIT 1
}
WITH kind WHERE NOT EXISTS { (:Token {name: $name}) }
RETURN kind
ORDER BY kind DESC
