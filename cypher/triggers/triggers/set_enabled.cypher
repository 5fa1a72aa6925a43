// Enable or suspend a trigger; occurrences while it is suspended never fire it.
MATCH (t:Trigger {id: $id}) WHERE t.deleted_at IS NULL AND t.enabled <> $enabled
WITH t, coalesce($now, datetime.realtime()) AS now
SET t.enabled = $enabled,
    t.enabled_at = CASE WHEN $enabled THEN now END,
    t.suspended_at = CASE WHEN NOT $enabled THEN now END,
    t.suspended_because = CASE WHEN NOT $enabled THEN $because END
RETURN now
