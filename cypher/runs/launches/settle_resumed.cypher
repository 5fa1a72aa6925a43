// Queue the run of a lost worker again, unless it was lost too often.
MATCH (r:Run {id: $id, launch: 'CLAIMED', resumable: true})
USING INDEX r:Run(id)
WHERE coalesce(r.losses, 0) < $most
SET r.losses = coalesce(r.losses, 0) + 1,
    r.launch = 'QUEUED',
    r.queued_at = coalesce($now, datetime.realtime())
REMOVE r.leased_at, r.lease_until, r.owner, r.wake_address, r.resting_since
RETURN r.losses AS losses
