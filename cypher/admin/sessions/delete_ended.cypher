// Delete the sessions that are over.
WITH coalesce($now, datetime.realtime()) AS now
MATCH (s:Session)
WHERE s.last_at < now OR s.used_at < now - $idle
DELETE s
