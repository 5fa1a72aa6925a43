// The last holder of a lease, if it completed and its result can still be shared.
MATCH (l:Lease {name: $name})
MATCH (r:Run {id: l.last_run_id, state: 'COMPLETED'})
USING INDEX r:Run(id)
WHERE r.ended_at >= coalesce($now, datetime.realtime()) - $within
  AND ($since IS NULL OR r.ended_at >= $since)
RETURN r.id AS run_id, r.emitted AS emitted, r.output AS output
