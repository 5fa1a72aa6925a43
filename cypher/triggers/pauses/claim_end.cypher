// End the pause of all triggers, if it is over or `by_hand`, and return since when they count again.
MATCH (p:Pause {id: 'all'})
SET p.locked = true
REMOVE p.locked
WITH p, coalesce($now, datetime.realtime()) AS now
WHERE p.since IS NOT NULL AND ($by_hand OR p.until <= now)
WITH p, CASE WHEN p.until <= now THEN p.until ELSE now END AS ended_at
REMOVE p.since, p.until, p.reason, p.author
RETURN ended_at
