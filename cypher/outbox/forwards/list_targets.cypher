// The forwarding targets, each with its backlog.
MATCH (t:ForwardTarget)
CALL (t) {
  MATCH (f:Forwarding {waits_for: t.name})
  WHERE f.queued_at IS NOT NULL AND f.position IS NOT NULL
  RETURN count(f) AS waiting, min(f.queued_at) AS oldest_at
}
CALL (t) {
  OPTIONAL MATCH (f:Forwarding)
  WHERE f.target = t.name AND f.refused_at IS NOT NULL
  RETURN count(f) AS refused
}
RETURN
  t.name AS name,
  t.send AS send,
  waiting,
  oldest_at,
  t.sent AS sent,
  t.sent_at AS sent_at,
  refused,
  t.dropped AS dropped,
  t.failing_since AS failing_since,
  t.next_at AS next_at,
  t.error AS error,
  t.seen_at AS seen_at
ORDER BY name
