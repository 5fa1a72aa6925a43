// Make dead letters pending again; other firings do not change.
UNWIND $keys AS key
MATCH (f:Firing {key: key})
SET f.locked = true
REMOVE f.locked
WITH f WHERE f.state IN ['DEAD_LETTER', 'EXPIRED', 'ABORTED']
SET f.state = 'PENDING', f.redriven = coalesce(f.redriven, 0) + 1
REMOVE f.started_at, f.kept_back, f.held_until, f.settled_at, f.expires_at
RETURN f.key AS key
ORDER BY key
