// Take or renew the lease for watching the definitions of a host, unless another process has it.
MERGE (l:Lease {name: 'definitions ' + $host})
SET l.locked = true
REMOVE l.locked
WITH l, coalesce($now, datetime.realtime()) AS now
WHERE l.owner = $owner OR l.until IS NULL OR l.until <= now
  // Longer than any: it is from before the clock was put back.
  OR l.until > now + $lease
SET l.owner = $owner, l.until = now + $lease
RETURN l.name AS name
