// Count the events that wait for targets, or those that were refused by them.
MATCH (f:Forwarding)
WHERE f.queued_at IS NOT NULL AND (f.waits_for IS NOT NULL) = $waits
RETURN count(f) AS count
