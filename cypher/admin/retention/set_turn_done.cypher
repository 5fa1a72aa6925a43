// Note that the sweep of the last turn was completed.
MATCH (l:Lease {name: 'retention'})
SET l.is_done = true
