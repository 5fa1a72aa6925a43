// Renew the lease of a run whose worker has just reported.
MATCH (r:Run {id: $id, launch: 'CLAIMED'})
USING INDEX r:Run(id)
SET r.leased_at = coalesce($now, datetime.realtime()),
    r.lease_until = coalesce($now, datetime.realtime()) + $lease
