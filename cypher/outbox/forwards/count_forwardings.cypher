// Count the events that wait for targets, or those that were refused by them.
CALL () {
  WITH 1 AS one WHERE $waits
  MATCH (f:Forwarding)
  WHERE f.waits_for IS NOT NULL AND f.queued_at IS NOT NULL AND f.position IS NOT NULL
  RETURN count(f) AS number
  UNION ALL
  WITH 1 AS one WHERE NOT $waits
  MATCH (f:Forwarding)
  WHERE f.refused_at IS NOT NULL
  RETURN count(f) AS number
}
RETURN sum(number) AS count
