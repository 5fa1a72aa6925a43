// Create or lock triggers, and return their earlier states and the time.
UNWIND $rows AS row
MERGE (t:Trigger {id: row.id})
SET t.locked = true
REMOVE t.locked
WITH t, row, t.rule AS rule, t.created_at IS NULL OR t.deleted_at IS NOT NULL AS is_new,
  coalesce($now, datetime.realtime()) AS now
FOREACH (x IN CASE WHEN is_new THEN [1] ELSE [] END |
  SET t.enabled = row.enabled,
      t.generation = coalesce(t.generation, 0),
      t.created_at = now,
      t.enabled_at = CASE WHEN row.enabled THEN now END,
      t.suspended_at = CASE WHEN NOT row.enabled THEN now END
  REMOVE t.deleted_at)
RETURN
  t.id AS id,
  is_new,
  CASE WHEN NOT is_new THEN rule END AS rule,
  t.enabled AS enabled,
  CASE WHEN NOT t.enabled THEN t.suspended_because END AS suspended_because,
  now
