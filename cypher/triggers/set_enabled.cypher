// Enable or suspend a trigger; what happens while it is suspended fires nothing, then or later.
MATCH (t:Trigger {id: $id}) WHERE t.enabled <> $enabled
SET t.enabled = $enabled,
    t.enabled_at = CASE WHEN $enabled THEN coalesce($now, datetime.realtime()) END,
    t.suspended_at = CASE WHEN NOT $enabled THEN coalesce($now, datetime.realtime()) END
