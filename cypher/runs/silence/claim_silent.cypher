// Lock a possibly silent run, and return whether it and all its descendants are silent.
MATCH (r:Run {id: $id})
SET r.locked = true
REMOVE r.locked
WITH r, coalesce($now, datetime.realtime()) AS now
WHERE r.awaited_since < now - duration({seconds: $seconds})
CALL (r) {
  MATCH (r)-[:PARENT_OF*1..]->(c:Run)
  WHERE c.reason IS NULL OR c.reason <> 'SILENT'
  RETURN max(coalesce(c.lease_until, c.awaited_since, c.state_at)) AS heard
}
WITH r, now, heard, coalesce(heard < now - duration({seconds: $seconds}), true) AS is_silent
SET r.awaited_since = CASE WHEN is_silent THEN r.awaited_since ELSE heard END
RETURN is_silent, toString(now) AS now
