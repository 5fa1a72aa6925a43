// Ask the worker of a run to end it; a run that is parked gets one for that.
MATCH (r:Run {id: $id}) WHERE r.launch IS NOT NULL
SET r.cancel_requested = true,
    r.launch = CASE r.launch WHEN 'PARKED' THEN 'QUEUED' ELSE r.launch END
RETURN r.launch AS launch
