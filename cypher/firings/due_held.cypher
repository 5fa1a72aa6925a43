// Of every trigger the oldest firing that is kept back and may start now, or has waited for too long.
WITH coalesce($now, datetime.realtime()) AS now
MATCH (f:Firing {state: 'HELD'})
WITH f, f.expires_at <= now AS expired
WHERE expired OR f.held_until IS NULL OR f.held_until <= coalesce($now, datetime.realtime())
WITH f, expired ORDER BY f.fired_at, f.key
WITH f.trigger_id AS trigger_id, expired, collect(f.key)[0] AS key
RETURN key, coalesce(expired, false) AS expired
ORDER BY key
LIMIT 200
