// Take or renew the lease for watching the definitions of a host, unless another process has it.
MERGE (l:Lease {name: 'definitions ' + $host})
SET l.locked = true
REMOVE l.locked
WITH l, coalesce($now, datetime.realtime()) AS now
WHERE l.owner = $owner OR l.until IS NULL OR l.until <= now
SET l.owner = $owner, l.until = now + $lease
RETURN l.name AS name
