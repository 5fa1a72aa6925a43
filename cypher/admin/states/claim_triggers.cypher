// Lock triggers, and return their states as far as the audit log shows them.
UNWIND $keys AS key
MATCH (n:Trigger {id: key}) WHERE n.deleted_at IS NULL
SET n.locked = true
REMOVE n.locked
RETURN key, n {.origin, .enabled, .rule, .made_by} AS state
