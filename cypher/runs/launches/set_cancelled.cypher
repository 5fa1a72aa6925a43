// Request the cancellation of a run, and return its worker; a parked run is queued for it.
// Nobody has a run that was never claimed; of one whose lease is over the worker is gone.
MATCH (r:Run {id: $id})
SET r.locked = true
REMOVE r.locked
WITH r WHERE r.launch IS NOT NULL
SET r.cancel_requested = true,
    r.launch = CASE r.launch WHEN 'PARKED' THEN 'QUEUED' ELSE r.launch END
RETURN CASE
  WHEN r.launch = 'CLAIMED' AND r.lease_until < coalesce($now, datetime.realtime()) THEN 'LAPSED'
  WHEN r.launch = 'QUEUED' AND r.launches = 0 THEN 'UNCLAIMED'
  ELSE r.launch
END AS launch
