// Targets that no daemon has forwarded to for so long.
MATCH (t:ForwardTarget)
WHERE t.seen_at < coalesce($now, datetime.realtime()) - $age
RETURN t.name AS name
ORDER BY name
