// Take or renew the lock on the schema, unless another process holds it with a recent heartbeat.
MERGE (l:SchemaLock {name: 'schema'})
SET l.locked = true
REMOVE l.locked
WITH l, datetime.realtime() AS now
WHERE l.owner IS NULL OR l.owner = $owner OR l.expires_at <= now
  // Longer than any: it is from before the clock was put back.
  OR l.expires_at > now + $term
SET l.owner = $owner, l.expires_at = now + $term
WITH l
// A lock that another deleted meanwhile has no properties and keeps none.
WHERE l.owner = $owner
RETURN l.owner AS owner
