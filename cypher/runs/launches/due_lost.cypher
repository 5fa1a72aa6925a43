// Claimed runs with an expired lease: the worker died or cannot reach the graph.
WITH coalesce($now, datetime.realtime()) AS now
MATCH (r:Run {launch: 'CLAIMED'})
WHERE r.lease_until < now
  // Renewed in the future: the clock was put back since, and the worker has not been heard again.
  OR r.leased_at > now + duration.between(r.leased_at, r.lease_until)
RETURN r.id AS id, r.fence AS fence, r.launches AS launches, r.started_at IS NOT NULL AS has_started
ORDER BY id
