// Claimed runs with an expired lease: the worker died or cannot reach the graph.
MATCH (r:Run {launch: 'CLAIMED'})
WHERE r.lease_until < coalesce($now, datetime.realtime())
RETURN r.id AS id, r.fence AS fence, r.launches AS launches, r.started_at IS NOT NULL AS has_started
ORDER BY id
