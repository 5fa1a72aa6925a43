// Targets that no daemon has used for a given time.
MATCH (t:ForwardTarget)
WHERE t.seen_at < coalesce($now, datetime.realtime()) - $age
RETURN t.name AS name
ORDER BY name
