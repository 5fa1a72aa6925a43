// Lock datasets, and return their states as far as the audit log shows them.
UNWIND $keys AS key
MATCH (n:Dataset {key: key})
SET n.locked = true
REMOVE n.locked
RETURN key, n {hidden: n.hidden_at IS NOT NULL} AS state
