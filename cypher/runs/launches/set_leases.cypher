// Renew the leases of runs with a live worker process that sent no heartbeat itself.
UNWIND $ids AS id
MATCH (r:Run {id: id, launch: 'CLAIMED', owner: $owner})
USING INDEX r:Run(id)
SET r.leased_at = coalesce($now, datetime.realtime()),
    r.lease_until = coalesce($now, datetime.realtime()) + $lease
