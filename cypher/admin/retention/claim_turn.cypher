// Claim the turn to sweep, if the last one is long enough ago or was cut short.
MERGE (l:Lease {name: 'retention'})
SET l.locked = true
REMOVE l.locked
WITH l, coalesce($now, datetime.realtime()) AS now
WHERE l.taken_at IS NULL
  OR l.taken_at <= now - $every
  // Taken in the future: the clock was put back since.
  OR l.taken_at > now + $again
  OR (l.is_done IS NULL AND l.taken_at <= now - $again)
SET l.taken_at = now
REMOVE l.is_done
RETURN l.name AS name
