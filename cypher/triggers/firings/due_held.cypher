// The oldest held firing of each trigger that may start now or has expired.
//
// Those that were asked about the longest time ago come first, so that none is left out for ever.
// What a suspended trigger fired stays held, as does all while triggers are paused.
WITH coalesce($now, datetime.realtime()) AS now
MATCH (f:Firing {state: 'HELD'})
WITH f, now, coalesce(f.expires_at <= now, false) AS expired
WHERE expired
  OR (f.held_until IS NULL OR f.held_until <= now)
  AND EXISTS { (:Trigger {id: f.trigger_id, enabled: true}) }
  AND NOT EXISTS { (p:Pause {id: 'all'}) WHERE p.since IS NOT NULL }
WITH f, expired ORDER BY f.fired_at, f.generation, f.key
WITH f.trigger_id AS trigger_id, expired, collect(f)[0] AS f
RETURN f.key AS key, expired
ORDER BY f.asked_at, key
LIMIT $most
