// Count the events that are queued for targets or were refused by them.
MATCH (f:Forwarding)
RETURN count(f) AS count
