// Assign numbers to some unnumbered state changes, and return the last number.
MERGE (l:Lease {name: 'state-changes'})
SET l.locked = true
REMOVE l.locked
WITH l
CALL (l) {
  MATCH (c:StateChange {unnumbered: true})
  WITH l, c ORDER BY c.recorded_at, c.position, elementId(c) LIMIT $limit
  WITH l, collect(c) AS found
  UNWIND range(1, size(found)) AS step
  WITH l, found[step - 1] AS c, coalesce(l.newest, 0) + step AS number
  SET c.number = number
  REMOVE c.unnumbered
  RETURN max(number) AS newest, count(c) AS numbered
}
SET l.newest = coalesce(newest, l.newest, 0)
RETURN l.newest AS newest, coalesce(l.forgotten, 0) AS forgotten, numbered
