// Claim the turn to sweep, if the last turn is long enough ago.
MERGE (l:Lease {name: 'retention'})
SET l.locked = true
REMOVE l.locked
WITH l, coalesce($now, datetime.realtime()) AS now
WHERE l.taken_at IS NULL OR l.taken_at <= now - $every
SET l.taken_at = now
RETURN l.name AS name
