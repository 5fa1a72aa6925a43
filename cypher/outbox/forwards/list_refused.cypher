// Events that targets refused, newest first.
MATCH (f:Forwarding)
WHERE f.refused_at IS NOT NULL
RETURN f.target AS target, f.event_id AS event_id, f.refused_at AS refused_at, f.error AS error
ORDER BY f.refused_at DESC, f.key
LIMIT $limit
