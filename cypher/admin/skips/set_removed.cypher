// End an active skip, record the user, and return whether it was active.
MATCH (s:Skip {id: $id})
SET s.locked = true
REMOVE s.locked
WITH s, coalesce($now, datetime.realtime()) AS now
WHERE s.removed_at IS NULL AND coalesce(s.expires_at > now, true)
SET s.removed_at = now, s.removed_by = $by
RETURN s.id AS id
