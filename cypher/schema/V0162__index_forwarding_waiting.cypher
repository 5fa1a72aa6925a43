// What waits for a target is found in its order, without what was refused.
CREATE INDEX forwarding_waiting IF NOT EXISTS
FOR (n:Forwarding) ON (n.waits_for, n.queued_at, n.position)
