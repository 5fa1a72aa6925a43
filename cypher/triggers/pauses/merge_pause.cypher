// Pause all triggers, in place of an earlier pause, unless the end is in the past.
//
// The node stays when a pause ends, so that daemons that end it at once wait for its lock.
MERGE (p:Pause {id: 'all'})
SET p.locked = true
REMOVE p.locked
WITH p, coalesce($now, datetime.realtime()) AS now
WHERE coalesce($until > now, true)
SET p.since = coalesce(p.since, now), p.reason = $reason, p.author = $author, p.until = $until
RETURN p.since AS since
