// Let a standalone run wait for a sensor; no worker claims it.
MATCH (r:Run {id: $id})
USING INDEX r:Run(id)
WHERE r.state = 'WAITING'
SET r.launch = 'SENSING',
    r.queued_at = coalesce($now, datetime.realtime()),
    r.submitted_at = coalesce($now, datetime.realtime())
