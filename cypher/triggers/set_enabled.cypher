// Enable or suspend a trigger; what happens while it is suspended fires nothing.
MATCH (t:Trigger {id: $id})
SET t.enabled = $enabled,
    t.suspended_at = CASE WHEN $enabled THEN null ELSE coalesce($now, datetime.realtime()) END
