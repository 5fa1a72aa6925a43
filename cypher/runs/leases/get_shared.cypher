// The run that had a lease last, if it completed and that still counts.
MATCH (l:Lease {name: $name})
MATCH (r:Run {id: l.last_run_id, state: 'COMPLETED'})
WHERE r.ended_at >= coalesce($now, datetime.realtime()) - $within
  AND ($since IS NULL OR r.ended_at >= $since)
RETURN r.id AS run_id, r.emitted AS emitted
