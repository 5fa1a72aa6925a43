// Delete some state changes recorded before a time, lowest numbers first.
MERGE (l:Lease {name: 'state-changes'})
SET l.locked = true
REMOVE l.locked
WITH l, coalesce($now, datetime.realtime()) - $age AS before
CALL (before) {
  MATCH (c:StateChange) WHERE c.number > 0
  WITH before, c ORDER BY c.number LIMIT $limit
  WITH c, c.number AS number WHERE c.recorded_at < before
  DETACH DELETE c
  RETURN max(number) AS forgotten, count(*) AS deleted
}
SET l.forgotten = CASE
  WHEN forgotten > coalesce(l.forgotten, 0) THEN forgotten
  ELSE coalesce(l.forgotten, 0)
END
RETURN deleted
