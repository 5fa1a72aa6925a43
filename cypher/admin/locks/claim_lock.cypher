// Take or renew a lock, unless another process holds it and renewed it recently.
MERGE (l:Lease {name: $name})
SET l.locked = true
REMOVE l.locked
WITH l, coalesce($now, datetime.realtime()) AS now
WHERE l.owner IS NULL OR l.owner = $owner OR l.until <= now
  // Longer than any: it is from before the clock was put back.
  OR l.until > now + $term
SET l.owner = $owner, l.holder = $holder, l.until = now + $term
RETURN l.owner AS owner
