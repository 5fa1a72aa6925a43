// Renew a run's lease while the fence is valid, and return whether cancellation was requested.
MATCH (r:Run {id: $id})
SET r.locked = true
REMOVE r.locked
WITH r WHERE r.launch = 'CLAIMED' AND r.fence = $fence
SET r.leased_at = coalesce($now, datetime.realtime()),
    r.lease_until = coalesce($now, datetime.realtime()) + $lease,
    r.owner = $owner
RETURN coalesce(r.cancel_requested, false) AS cancel_requested
