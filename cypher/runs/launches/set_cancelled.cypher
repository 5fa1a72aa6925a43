// Request the cancellation of a run, and return its worker; a parked run is queued for it.
// Nobody has a run that was never claimed. Of one whose lease is over the worker may be gone: who
// judges that is a daemon that has lived since, as after an outage it waits for the worker.
MATCH (r:Run {id: $id})
SET r.locked = true
REMOVE r.locked
WITH r WHERE r.launch IS NOT NULL
SET r.cancel_requested = true,
    r.launch = CASE r.launch WHEN 'PARKED' THEN 'QUEUED' ELSE r.launch END
WITH r,
     coalesce($now, datetime.realtime()) AS now,
     duration.between(r.leased_at, r.lease_until) AS lease
RETURN CASE
  WHEN r.launch = 'CLAIMED' AND (r.lease_until < now OR r.leased_at > now + lease)
    AND NOT EXISTS { (p:Process {kind: 'daemon'}) WHERE p.heartbeat_at >= r.leased_at - lease }
    THEN 'LAPSED'
  WHEN r.launch = 'QUEUED' AND r.launches = 0 THEN 'UNCLAIMED'
  ELSE r.launch
END AS launch
