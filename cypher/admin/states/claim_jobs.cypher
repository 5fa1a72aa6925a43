// Lock jobs, and return their states as far as the audit log shows them.
UNWIND $keys AS key
MATCH (n:Job {key: key})
SET n.locked = true
REMOVE n.locked
RETURN key, n {.silent_after, hidden: n.hidden_at IS NOT NULL} AS state
