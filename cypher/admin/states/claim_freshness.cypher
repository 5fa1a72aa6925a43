// Lock freshness terms, and return their states as far as the audit log shows them.
UNWIND $keys AS key
MATCH (n:Terms {key: key})
SET n.locked = true
REMOVE n.locked
RETURN key, n {.*} AS state
