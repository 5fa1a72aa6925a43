// Lock skips, and return their states as far as the audit log shows them.
UNWIND $keys AS key
MATCH (n:Skip {id: key})
SET n.locked = true
REMOVE n.locked
RETURN key, n {.reason, .author, .expires_at, .removed_at, .removed_by} AS state
