// Create or lock a trigger, and return its earlier state and the time.
MERGE (t:Trigger {id: $id})
SET t.locked = true
REMOVE t.locked
WITH t, t.rule AS rule, t.created_at IS NULL OR t.deleted_at IS NOT NULL AS is_new,
  coalesce($now, datetime.realtime()) AS now
FOREACH (x IN CASE WHEN is_new THEN [1] ELSE [] END |
  SET t.enabled = $enabled,
      t.generation = coalesce(t.generation, 0),
      t.created_at = now,
      t.enabled_at = CASE WHEN $enabled THEN now END,
      t.suspended_at = CASE WHEN NOT $enabled THEN now END
  REMOVE t.deleted_at)
RETURN is_new, CASE WHEN NOT is_new THEN rule END AS rule, t.enabled AS enabled, now
